program free
  implicit none
  include 'mpif.h'
  integer :: me, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  if (me == 0) write (*, '(a)') 'hello'
  call MPI_Finalize(ierr)
end program
