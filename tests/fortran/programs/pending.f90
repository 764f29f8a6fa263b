! Sections of arrays in operations that go on after the call: reductions and operations of several blocks, which
! work on a copy; and datatypes that do not go with the elements of a section.
program pending
  use mpi_f08
  use checks
  implicit none
  integer, parameter :: most = 8
  integer, asynchronous :: a(20, 3), b(20, 3), v(4 * most), w(4 * most), counts(most), displs(most)
  type(MPI_Datatype) :: types(most), gappy
  type(MPI_Request) :: r, two(2)
  type(MPI_Comm) :: ring
  type(MPI_Win) :: win
  complex :: z(6), y(6)
  integer, target :: cells(16)
  integer :: i, j, round, left, right

  call begin
  left = mod(me + np - 1, np)
  right = mod(me + 1, np)
  do j = 1, 3
    a(:, j) = [(100 * j + i, i = 1, 20)]
  end do

  ! Only what the operation writes is copied back: the rest is the program's in the meantime.
  b = -1
  call MPI_Iallreduce(a(1:20:2, :), b(2:20:2, :), 25, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r)
  b(1:19:2, 1) = -2
  b(20, 3) = -3
  call MPI_Wait(r, MPI_STATUS_IGNORE)
  call check(all(b(2:20:2, 1:2) == np * a(1:20:2, 1:2)) .and. all(b(2:10:2, 3) == np * a(1:9:2, 3)), 'iallreduce')
  call check(all(b(1:19:2, 1) == -2) .and. b(20, 3) == -3 .and. all(b(12:18:2, 3) == -1) &
      .and. all(b(1:19:2, 2:) == -1), 'what iallreduce leaves alone')

  b = me
  call MPI_Ireduce(b(20:2:-2, 2), b(20:2:-2, 1), 10, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, r)
  if (me /= 0) b(:, 1) = -7
  call MPI_Wait(r, MPI_STATUS_IGNORE)
  if (me == 0) call check(all(b(2:20:2, 1) == np - 1) .and. all(b(1:19:2, 1) == 0), 'ireduce')
  if (me /= 0) call check(all(b(:, 1) == -7), 'no result but at the root')

  ! Blocks.
  counts = 2
  displs = [(2 * (most - i), i = 1, most)]
  types = MPI_INTEGER
  v = [(1000 * me + i, i = 1, 4 * most)]
  w = 0
  call MPI_Iallgatherv(v(1:3:2), 2, MPI_INTEGER, w(1:4 * most:2), counts, displs, MPI_INTEGER, MPI_COMM_WORLD, r)
  call MPI_Wait(r, MPI_STATUS_IGNORE)
  do i = 1, np
    j = 2 * displs(i) + 1
    call check(w(j) == 1000 * (i - 1) + 1 .and. w(j + 1) == 0 .and. w(j + 2) == 1000 * (i - 1) + 3, 'iallgatherv')
  end do
  w = 0
  call MPI_Ialltoallv(v(1:4 * most:2), counts, displs, MPI_INTEGER, w(1:4 * most:2), counts, displs, MPI_INTEGER, &
      MPI_COMM_WORLD, r)
  call MPI_Wait(r, MPI_STATUS_IGNORE)
  do i = 1, np
    j = 2 * displs(i) + 1
    call check(w(j) == 1000 * (i - 1) + 2 * displs(me + 1) + 1, 'ialltoallv')
  end do
  w = 0
  displs = 4 * displs
  call MPI_Ialltoallw(v(1:4 * most:2), counts, displs, types, w(1:4 * most:2), counts, displs, types, &
      MPI_COMM_WORLD, r)
  call MPI_Wait(r, MPI_STATUS_IGNORE)
  do i = 1, np
    j = displs(i) / 2 + 1
    call check(w(j) == 1000 * (i - 1) + displs(me + 1) / 2 + 1 .and. w(j + 1) == 0, 'ialltoallw')
  end do
  w = -1
  call MPI_Iscatter(v(1:4 * most:2), 2, MPI_INTEGER, w(2:4:2), 2, MPI_INTEGER, 0, MPI_COMM_WORLD, r)
  call MPI_Wait(r, MPI_STATUS_IGNORE)
  call check(w(2) == 4 * me + 1 .and. w(4) == 4 * me + 3 .and. w(3) == -1, 'iscatter')

  ! Persistent ones copy in each round.
  call MPI_Allreduce_init(v(1:9:4), w(10:2:-4), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, r)
  do round = 1, 3
    v = round
    w = 0
    call MPI_Start(r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call check(all(w(2:10:4) == np * round) .and. sum(w) == 3 * np * round, 'allreduce_init')
  end do
  call MPI_Request_free(r)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [np], [.true.], .false., ring)
  v = me
  w = -1
  call MPI_Ineighbor_allgather(v(1:3:2), 2, MPI_INTEGER, w(1:7:2), 2, MPI_INTEGER, ring, r)
  call MPI_Wait(r, MPI_STATUS_IGNORE)
  call check(all(w(1:3:2) == left) .and. all(w(5:7:2) == right) .and. all(w(2:8:2) == -1), 'ineighbor_allgather')
  call MPI_Comm_free(ring)

  ! A request that is freed, and errors.
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Iallreduce(v(1:9:2), w(1:9:2), 5, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_WORLD, r, i)
  call check(i /= MPI_SUCCESS, 'an error')
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  w = 0
  call MPI_Ibcast(w(1:9:2), 5, MPI_INTEGER, 0, MPI_COMM_WORLD, r)
  call MPI_Request_free(r)
  call MPI_Barrier(MPI_COMM_WORLD)

  ! A count that ends within an element, and a datatype with gaps, which jumps over elements of the section.
  z = [(cmplx(i, -i), i = 1, 6)]
  y = 0
  call MPI_Isend(z(1:5:2), 5, MPI_REAL, right, 1, MPI_COMM_WORLD, two(1))
  call MPI_Irecv(y(6:2:-2), 5, MPI_REAL, left, 1, MPI_COMM_WORLD, two(2))
  call MPI_Waitall(2, two, MPI_STATUSES_IGNORE)
  call check(y(6) == (1, -1) .and. y(4) == (3, -3) .and. y(2) == (5, 0) .and. y(1) == 0, 'parts of elements')
  call MPI_Type_vector(3, 1, 2, MPI_INTEGER, gappy)
  call MPI_Type_commit(gappy)
  do round = 1, 2
    b = 0
    call MPI_Isend(a(1:20:2, 1), 1, gappy, right, 2, MPI_COMM_WORLD, two(1))
    call MPI_Irecv(b(2:20:3, 2), 1, gappy, left, 2, MPI_COMM_WORLD, two(2))
    call MPI_Waitall(2, two, MPI_STATUSES_IGNORE)
    call check(all(b(2:14:6, 2) == a(1:9:4, 1)) .and. sum(b) == sum(a(1:9:4, 1)), 'gaps')
  end do
  cells = 0
  call MPI_Win_create(cells, 64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_fence(0, win)
  call MPI_Put(a(1:20:2, 1), 1, gappy, right, 1_MPI_ADDRESS_KIND, 3, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call check(all(cells(2:4) == a(1:9:4, 1)) .and. sum(cells) == sum(a(1:9:4, 1)), 'gaps in a put')
  call MPI_Win_free(win)
  call MPI_Type_free(gappy)

  ! Shapes that come again, and more of them than are kept.
  do round = 1, 3
    do i = 2, 12
      w = 0
      call MPI_Sendrecv(v(1:2 * i:2), i, MPI_INTEGER, right, 3, w(2 * i:1:-2), i, MPI_INTEGER, left, 3, &
          MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      call check(all(w(2:2 * i:2) == left) .and. sum(w) == i * left, 'a shape')
    end do
  end do
  call finish
end program
