program f08
  use mpi_f08
  implicit none
  integer :: me, n
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  n = 1
  call MPI_Allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
  if (me == 0 .and. n == 1) write (*, '(a)') 'hello'
  call MPI_Finalize()
end program
