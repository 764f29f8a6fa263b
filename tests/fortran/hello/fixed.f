      program fixed
      implicit none
      include 'mpif.h'
      integer me, n, ierr
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      n = 1
      call MPI_ALLREDUCE(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_MAX,
     &    MPI_COMM_WORLD, ierr)
      if (me .eq. 0 .and. n .eq. 1) write (*, '(a)') 'hello'
      call MPI_FINALIZE(ierr)
      end
