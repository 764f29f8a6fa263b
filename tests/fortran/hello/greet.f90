subroutine greet
  use mpi
  implicit none
  integer :: me, ierr
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  if (me == 0) write (*, '(a)') 'hello'
end subroutine
