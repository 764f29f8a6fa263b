! Sections of arrays as buffers: of any rank and stride, components, parts of complex numbers, substrings,
! pointers, and counts that end within a section.
program sections
  use mpi_f08
  use checks
  implicit none
  type pair
    sequence
    integer :: x, y
  end type
  integer :: a(20, 3), b(20, 3), v(40), w(40), i, class
  character(len=MPI_MAX_ERROR_STRING) :: text
  type(pair) :: p(8), q(8)
  complex :: z(6), y(6)
  character(len=8) :: s(4), t(4)
  integer, allocatable :: heap(:, :)
  integer, pointer :: some(:)
  type(MPI_Request) :: r(2)
  type(MPI_Status) :: st

  call begin
  a = reshape([(i, i = 1, 60)], [20, 3])

  b = 0 ! every second row of a matrix
  call MPI_Irecv(b(2:20:2, :), 30, MPI_INTEGER, me, 1, MPI_COMM_WORLD, r(1))
  call MPI_Isend(a(1:20:2, :), 30, MPI_INTEGER, me, 1, MPI_COMM_WORLD, r(2))
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
  call check(all(b(2:20:2, :) == a(1:20:2, :)) .and. all(b(1:20:2, :) == 0), 'rows')

  b = 0 ! a count that ends within a row
  call MPI_Sendrecv(a(1:20:2, :), 17, MPI_INTEGER, me, 2, b(1:20:2, :), 17, MPI_INTEGER, me, 2, MPI_COMM_WORLD, st)
  call check(all(b(1:20:2, 1) == a(1:20:2, 1)) .and. all(b(1:13:2, 2) == a(1:13:2, 2)) &
      .and. all(b(15:, 2) == 0) .and. all(b(:, 3) == 0) .and. all(b(2:20:2, :) == 0), 'part')
  b = 0
  call MPI_Sendrecv(a(7, :), 3, MPI_INTEGER, me, 2, b(9, 3:1:-1), 3, MPI_INTEGER, me, 2, MPI_COMM_WORLD, st)
  call check(all(b(9, [3, 2, 1]) == a(7, :)) .and. count(b /= 0) == 3, 'row and negative stride')

  v = [(i, i = 1, 40)]
  w = 0
  call MPI_Sendrecv(v(40:1:-3), 14, MPI_INTEGER, me, 3, w, 14, MPI_INTEGER, me, 3, MPI_COMM_WORLD, st)
  call check(all(w(1:14) == v(40:1:-3)), 'negative')

  p = [(pair(i, -i), i = 1, 8)]
  q = pair(0, 0)
  call MPI_Irecv(q(:)%y, 8, MPI_INTEGER, me, 4, MPI_COMM_WORLD, r(1))
  call MPI_Send(p(:)%x, 8, MPI_INTEGER, me, 4, MPI_COMM_WORLD)
  call MPI_Wait(r(1), st)
  call check(all(q(:)%y == p(:)%x) .and. all(q(:)%x == 0), 'components')

  z = [(cmplx(i, 10 * i), i = 1, 6)]
  y = 0
  call MPI_Irecv(y%im, 6, MPI_REAL, me, 5, MPI_COMM_WORLD, r(1))
  call MPI_Isend(z%re, 6, MPI_REAL, me, 5, MPI_COMM_WORLD, r(2))
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
  call check(all(y%im == z%re) .and. all(y%re == 0), 'parts of complex numbers')

  s = ['abcdefgh', 'ijklmnop', 'qrstuvwx', 'yz012345']
  t = ' '
  call MPI_Irecv(t(:)(5:6), 8, MPI_CHARACTER, me, 6, MPI_COMM_WORLD, r(1))
  call MPI_Isend(s(:)(2:3), 8, MPI_CHARACTER, me, 6, MPI_COMM_WORLD, r(2))
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
  call check(t(1) == '    bc' .and. t(4) == '    z0', 'substrings')

  allocate (heap(4, 5))
  heap = 0
  w = 0
  call MPI_Sendrecv(v, 4, MPI_INTEGER, me, 7, heap(2:4:2, 2:4:2), 4, MPI_INTEGER, me, 7, MPI_COMM_WORLD, st)
  call check(heap(2, 2) == 1 .and. heap(4, 2) == 2 .and. heap(2, 4) == 3 .and. heap(4, 4) == 4 &
      .and. sum(heap) == 10, 'allocatable')
  some => some_of(w)
  call MPI_Sendrecv(v, 5, MPI_INTEGER, me, 8, some, 5, MPI_INTEGER, me, 8, MPI_COMM_WORLD, st)
  call check(all(w(3:15:3) == v(1:5)) .and. sum(w) == 15, 'pointer')

  call again

  ! Collectives: broadcast by a datatype, reductions and blocks by a copy.
  b = 0
  if (me == 0) b(1:20:2, :) = a(1:20:2, :)
  call MPI_Bcast(b(1:20:2, :), 30, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call check(all(b(1:20:2, :) == a(1:20:2, :)) .and. all(b(2:20:2, :) == 0), 'bcast')
  b = -1
  call MPI_Allreduce(a(1:20:4, :), b(2:20:4, :), 15, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(all(b(2:20:4, :) == np * a(1:20:4, :)) .and. count(b == -1) == 45, 'allreduce')
  w = 0
  call MPI_Allgather(me + 1, 1, MPI_INTEGER, w(2:40:2), 1, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(w(2:2 * np:2) == [(i, i = 1, np)]) .and. all(w(1:39:2) == 0), 'allgather')

  ! What a section cannot do is an error of a class.
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Psend_init(v(1:40:2), 3, 10, MPI_INTEGER, me, 9, MPI_COMM_WORLD, MPI_INFO_NULL, r(1), i)
  call MPI_Error_class(i, class)
  call MPI_Error_string(i, text, i)
  call check(class == MPI_ERR_BUFFER .and. index(text, 'section') > 0, 'too small a section')
  deallocate (heap)
  call finish

contains
  ! A shape gets a datatype when it comes again: the same and others that are nearly so, in turn, elsewhere.
  subroutine again
    integer :: round, step, n
    do round = 1, 6
      do step = 2, 3
        do n = 11, 12
          w = 0
          call MPI_Irecv(w(round:round + step * (n - 1):step), n, MPI_INTEGER, me, 10, MPI_COMM_WORLD, r(1))
          call MPI_Send(v(round:round + step * (n - 1):step), n - 1, MPI_INTEGER, me, 10, MPI_COMM_WORLD)
          call MPI_Wait(r(1), st)
          call check(all(w(round:round + step * (n - 2):step) == v(round:round + step * (n - 2):step)) &
              .and. count(w /= 0) == n - 1, 'sent again')
          call MPI_Isend(v(round:), n, MPI_INTEGER, me, 11, MPI_COMM_WORLD, r(1))
          w = 0
          call MPI_Recv(w(round:round + step * (n - 1):step), n, MPI_INTEGER, me, 11, MPI_COMM_WORLD, st)
          call MPI_Wait(r(1), st)
          call check(all(w(round:round + step * (n - 1):step) == v(round:round + n - 1)) &
              .and. count(w /= 0) == n, 'received again')
        end do
      end do
    end do
  end subroutine

  function some_of(array) result(p)
    integer, target :: array(:)
    integer, pointer :: p(:)
    p => array(3:15:3)
  end function
end program
