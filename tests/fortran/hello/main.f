      program main
      implicit none
      include 'mpif.h'
      integer ierr
      call MPI_INIT(ierr)
      call greet
      call MPI_FINALIZE(ierr)
      end
