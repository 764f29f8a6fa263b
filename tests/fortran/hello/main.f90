! The program of a part that greets, in whatever language it is.
program main
  use mpi_f08
  implicit none
  call MPI_Init()
  call greet()
  call MPI_Finalize()
end program
