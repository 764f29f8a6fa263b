! The module mpi: buffers of any type and rank, keyword arguments, info objects, files, windows, spawn's strings.
program module_mpi
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: me, np, ierr, i, info, n, win, fh, wrong = 0, total, request, status(MPI_STATUS_SIZE), sz, session
  integer, allocatable :: counts(:), displs(:), types(:)
  real :: x(4, 4), y(4, 4)
  double precision :: d
  character(len=20) :: value
  character(len=3) :: three
  logical :: flag
  type(c_ptr) :: memory
  integer(kind=MPI_ADDRESS_KIND) :: base, size
  integer, pointer :: cells(:)
  integer(kind=MPI_OFFSET_KIND) :: offset

  call MPI_Init(ierr)
  call MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=me, ierror=ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)

  call MPI_Reduce(1.5d0, d, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (me == 0) call expect(d == 1.5d0 * np, 'a constant as a buffer')
  x = me
  call MPI_Bcast(x, 16, MPI_REAL, 0, MPI_COMM_WORLD, ierr)
  call expect(all(x == 0), 'matrix')
  x = reshape([(real(i), i = 1, 16)], [4, 4])
  y = 0 ! sections: the compiler copies them, which blocking calls allow
  call MPI_Sendrecv(x(2, :), 4, MPI_REAL, me, 1, y(:, 3), 4, MPI_REAL, me, 1, MPI_COMM_WORLD, status, ierr)
  call expect(all(y(:, 3) == x(2, :)), 'sections')

  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, '  key ', ' some value  ', ierr)
  call MPI_Info_get(info, 'key', 20, value, flag, ierr)
  call expect(flag .and. value == 'some value', 'info')
  n = 3
  call MPI_Info_get_string(info, 'key', n, three, flag, ierr)
  call expect(flag .and. n == 10 .and. three == 'som', 'info string')
  n = 0
  call MPI_Info_get_string(info, 'key', n, three, flag, ierr)
  call expect(flag .and. n == 10 .and. three == 'som', 'length alone')
  call MPI_Info_get_nthkey(info, 0, value, ierr)
  call expect(value == 'key', 'nthkey')
  call MPI_Info_free(info, ierr)

  call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session, ierr)
  n = 20
  call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, n, value, ierr)
  call expect(n == len_trim(value) .and. value(1:6) == 'mpi://', 'process set')
  do i = 3, 0, -3
    n = i
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, n, three, ierr)
    call expect(n == len_trim(value) .and. three == 'mpi', 'its first letters, and its length alone')
  end do
  call MPI_Session_finalize(session, ierr)

  ! One datatype for each process.
  allocate (counts(np), displs(np), types(np))
  block
    integer :: out(np), in(np)
    out = [(100 * me + i, i = 0, np - 1)]
    in = -1
    counts = 1
    displs = [(4 * i, i = 0, np - 1)]
    types = MPI_INTEGER
    call MPI_Alltoallw(out, counts, displs, types, in, counts, displs, types, MPI_COMM_WORLD, ierr)
    call expect(all(in == [(100 * i + me, i = 0, np - 1)]), 'alltoallw')
    call MPI_Ialltoallw(MPI_IN_PLACE, 0, 0, 0, in, counts, displs, types, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(all(in == out), 'ialltoallw in place')
  end block

  size = 4 * np
  call MPI_Win_allocate(size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win, ierr)
  call c_f_pointer(memory, cells, [np])
  cells = 0
  call MPI_Win_fence(0, win, ierr)
  base = me
  call MPI_Put(me + 1, 1, MPI_INTEGER, mod(me + 1, np), base, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  call expect(sum(cells) == mod(me + np - 1, np) + 1, 'put')
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, base, flag, ierr)
  call expect(flag .and. base == size, 'size of the window')
  call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, base, flag, ierr)
  call expect(flag .and. base == 4, 'unit of the window')
  call MPI_Win_free(win, ierr)
  size = 64
  call MPI_Alloc_mem(size, MPI_INFO_NULL, base, ierr)
  call expect(base /= 0, 'memory')
  call MPI_Alloc_mem(size, MPI_INFO_NULL, memory, ierr)
  call c_f_pointer(memory, cells, [16])
  call MPI_Free_mem(cells, ierr)

  call MPI_File_open(MPI_COMM_WORLD, 'module.data ', ior(MPI_MODE_CREATE, ior(MPI_MODE_RDWR, &
      MPI_MODE_DELETE_ON_CLOSE)), MPI_INFO_NULL, fh, ierr)
  call expect(ierr == MPI_SUCCESS, 'open')
  offset = 4 * me
  call MPI_File_write_at_all(fh, offset, me, 1, MPI_INTEGER, status, ierr)
  call MPI_File_read_at(fh, offset, n, 1, MPI_INTEGER, status, ierr)
  call expect(n == me, 'file')
  call MPI_File_get_view(fh, offset, i, n, value, ierr)
  call expect(value == 'native', 'view')
  call MPI_File_close(fh, ierr)
  call MPI_Sizeof(x, sz, ierr)
  call expect(sz == 4, 'sizeof')
  base = MPI_Aint_add(8_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND)
  call expect(base == 16, 'aint')

  deallocate (counts, displs, types)
  call MPI_Allreduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  if (total > 0) stop 1
contains
  subroutine expect(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (.not. ok) then
      print *, 'wrong: ', what
      wrong = wrong + 1
    end if
  end subroutine
end program
