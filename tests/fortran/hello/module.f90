program module
  use mpi
  implicit none
  integer :: me, n, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  n = 1
  call MPI_Allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  if (me == 0 .and. n == 1) write (*, '(a)') 'hello'
  call MPI_Finalize(ierr)
end program
