! The routines of mpif.h, in fixed form, those included that MPI 3.0 removed.
      program old
      implicit none
      include 'mpif.h'
      integer me, np, ierr, i, j, n, wrong, total
      integer st(MPI_STATUS_SIZE), sts(MPI_STATUS_SIZE, 4), req(4)
      integer a(10), b(10), types(2), lens(2), displs(2), t, ext, idx
      integer key, val, comm, dims(2), coords(2), which(4), cnt, group
      logical flag, periods(2)
      integer(kind=MPI_ADDRESS_KIND) wide, far
      character*(MPI_MAX_OBJECT_NAME) name
      character*7 short
      double precision t0
      common /counts/ wrong
      external copy, del
      wrong = 0

      call MPI_INIT(ierr)
      call expect(ierr .eq. MPI_SUCCESS, 'init')
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, np, ierr)
      t0 = MPI_WTIME()
      call expect(MPI_WTIME() .ge. t0 .and. MPI_WTICK() .gt. 0, 'time')

      call MPI_GET_ADDRESS(a, wide, ierr)
      far = MPI_AINT_ADD(wide, 8_MPI_ADDRESS_KIND)
      call expect(far - wide .eq. 8 .and.
     &    PMPI_AINT_DIFF(far, wide) .eq. 8, 'addresses')
      call expect(MPI_AINT_DIFF(PMPI_AINT_ADD(far, wide), wide) .eq.
     &    far .and. PMPI_WTIME() .ge. t0 .and. PMPI_WTICK() .gt. 0,
     &    'names of profiling')

      do i = 1, 10
        a(i) = i
        b(i) = 0
      end do
      call MPI_IRECV(b, 5, MPI_INTEGER, me, 1, MPI_COMM_WORLD, req(1),
     &    ierr)
      call MPI_IRECV(b(6), 5, MPI_INTEGER, me, 2, MPI_COMM_WORLD,
     &    req(2), ierr)
      call MPI_SEND(a(6), 5, MPI_INTEGER, me, 2, MPI_COMM_WORLD, ierr)
      call MPI_WAITANY(2, req, idx, st, ierr)
      call expect(idx .eq. 2 .and. req(2) .eq. MPI_REQUEST_NULL,
     &    'waitany')
      call expect(st(MPI_TAG) .eq. 2 .and. st(MPI_SOURCE) .eq. me,
     &    'status')
      call MPI_GET_COUNT(st, MPI_INTEGER, n, ierr)
      call expect(n .eq. 5, 'count')
      call MPI_SEND(a, 5, MPI_INTEGER, me, 1, MPI_COMM_WORLD, ierr)
      call MPI_WAITSOME(2, req, cnt, which, sts, ierr)
      call expect(cnt .eq. 1 .and. which(1) .eq. 1, 'waitsome')
      call MPI_WAITANY(2, req, idx, MPI_STATUS_IGNORE, ierr)
      call expect(idx .eq. MPI_UNDEFINED, 'undefined')
      do i = 1, 10
        call expect(b(i) .eq. i, 'data')
      end do

      call MPI_ALLREDUCE(MPI_IN_PLACE, a, 10, MPI_INTEGER, MPI_SUM,
     &    MPI_COMM_WORLD, ierr)
      call expect(a(10) .eq. 10 * np, 'in place')

! Strings are padded with blanks.
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_COMM_SET_NAME(comm, 'a name   ', ierr)
      name = 'x'
      call MPI_COMM_GET_NAME(comm, name, n, ierr)
      call expect(n .eq. 6 .and. name .eq. 'a name', 'name')
      call MPI_COMM_GET_NAME(comm, short, n, ierr)
      call expect(short .eq. 'a name', 'short name')

! Attributes of MPI-1: integers, and functions that get them.
      call MPI_KEYVAL_CREATE(copy, del, key, 77, ierr)
      call MPI_ATTR_PUT(comm, key, -5, ierr)
      call MPI_ATTR_GET(comm, key, val, flag, ierr)
      call expect(flag .and. val .eq. -5, 'attribute')
      call MPI_COMM_DUP(comm, t, ierr)
      call MPI_ATTR_GET(t, key, val, flag, ierr)
      call expect(flag .and. val .eq. -4, 'copied')
      call MPI_COMM_GET_ATTR(t, key, wide, flag, ierr)
      call expect(flag .and. wide .eq. -4, 'read as an address')
      call MPI_COMM_FREE(t, ierr)
      call MPI_ATTR_DELETE(comm, key, ierr)
      call MPI_KEYVAL_FREE(key, ierr)
      call expect(key .eq. MPI_KEYVAL_INVALID, 'keyval')
      call MPI_ATTR_GET(comm, MPI_TAG_UB, val, flag, ierr)
      call expect(flag .and. val .ge. 32767, 'tag ub')
      call MPI_COMM_FREE(comm, ierr)

! Removed names, with displacements that are plain integers.
      lens(1) = 1
      lens(2) = 1
      displs(1) = 0
      displs(2) = 8
      types(1) = MPI_INTEGER
      types(2) = MPI_DOUBLE_PRECISION
      call MPI_TYPE_STRUCT(2, lens, displs, types, t, ierr)
      call MPI_TYPE_COMMIT(t, ierr)
      call MPI_TYPE_EXTENT(t, ext, ierr)
      call expect(ext .eq. 16, 'extent')
      call MPI_TYPE_FREE(t, ierr)
      call expect(t .eq. MPI_DATATYPE_NULL, 'freed')

! Topologies: arrays of logicals.
      dims(1) = np
      dims(2) = 1
      periods(1) = .true.
      periods(2) = .false.
      call MPI_CART_CREATE(MPI_COMM_WORLD, 2, dims, periods, .false.,
     &    comm, ierr)
      periods(1) = .false.
      periods(2) = .true.
      call MPI_CART_GET(comm, 2, dims, periods, coords, ierr)
      call expect(periods(1) .and. .not. periods(2), 'periods')
      call MPI_CART_SHIFT(comm, 0, 1, i, j, ierr)
      call expect(j .eq. mod(me + 1, np), 'shift')
      call MPI_COMM_FREE(comm, ierr)

      call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, MPI_ERRORS_RETURN,
     &    ierr)
      call MPI_SEND(a, 1, MPI_INTEGER, np, 0, MPI_COMM_WORLD, ierr)
      call MPI_ERROR_CLASS(ierr, i, n)
      call expect(i .eq. MPI_ERR_RANK, 'error class')
      call MPI_COMM_GROUP(MPI_COMM_WORLD, group, ierr)
      call MPI_GROUP_FREE(group, ierr)

      call MPI_ALLREDUCE(wrong, total, 1, MPI_INTEGER, MPI_SUM,
     &    MPI_COMM_WORLD, ierr)
      call MPI_FINALIZE(ierr)
      if (total .gt. 0) stop 1
      end

      subroutine expect(ok, what)
      implicit none
      logical ok
      character*(*) what
      integer wrong
      common /counts/ wrong
      if (.not. ok) then
        print *, 'wrong: ', what
        wrong = wrong + 1
      end if
      end

      subroutine copy(comm, key, extra, in, out, flag, ierr)
      implicit none
      include 'mpif.h'
      integer comm, key, extra, in, out, ierr
      logical flag
      out = in + 1
      flag = extra .eq. 77
      ierr = MPI_SUCCESS
      end

      subroutine del(comm, key, val, extra, ierr)
      implicit none
      include 'mpif.h'
      integer comm, key, val, extra, ierr
      ierr = MPI_SUCCESS
      if (extra .ne. 77) ierr = MPI_ERR_ARG
      end
