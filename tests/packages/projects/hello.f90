! What each project here builds in Fortran.
program hello
  use mpi_f08
  implicit none
  integer :: rank, size, total
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  write (*, '(a, i0, a, i0, a, i0)') 'Fortran: rank ', rank, ' of ', size, ', sum ', total
  call MPI_Finalize()
end program
