! Sections of arrays in partitioned communication: partitions that lie in memory all in the same way, and those
! that do not; more or fewer of them on the other side; several rounds.
program partitions
  use mpi_f08
  use checks
  implicit none
  type pair
    sequence
    integer :: x, y
  end type
  integer, asynchronous :: a(24, 5), b(24, 5), v(120), w(120)
  type(pair), asynchronous :: p(24)
  complex, asynchronous :: y(12), z(12)
  type(MPI_Datatype) :: gappy
  type(MPI_Request) :: r(2)
  integer, parameter :: shares(4) = [5, 10, 12, 3]
  integer :: i, j, k, left, right, round

  call begin
  call check(MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING, 'what the constants say')
  left = mod(me + np - 1, np)
  right = mod(me + 1, np)

  ! 60 elements: every second row; one column to a partition, half of one, and 5, 9 or 20 of the elements.
  do i = 1, 4
    do j = 1, 4
      call rows(shares(i), shares(5 - j))
    end do
  end do

  ! Backwards, and every second row of every second column: partitions of 5 elements end within a column.
  v = [(i, i = 1, 120)]
  b = 0
  call MPI_Psend_init(v(120:1:-3), 4, 10, MPI_INTEGER, right, 1, MPI_COMM_WORLD, MPI_INFO_NULL, r(1))
  call MPI_Precv_init(b(2:24:3, 5:1:-1), 8, 5, MPI_INTEGER, left, 1, MPI_COMM_WORLD, MPI_INFO_NULL, r(2))
  call exchange(4, 8, 1)
  k = 0
  do j = 5, 1, -1
    do i = 2, 24, 3
      call check(b(i, j) == 120 - 3 * k, 'backwards')
      k = k + 1
    end do
  end do
  call check(count(b /= 0) == 40, 'beside it')

  ! Components, and parts of complex numbers.
  p = [(pair(i, -i), i = 1, 24)]
  w = 0
  call MPI_Psend_init(p(:)%y, 6, 4_MPI_COUNT_KIND, MPI_INTEGER, right, 2, MPI_COMM_WORLD, MPI_INFO_NULL, r(1))
  call MPI_Precv_init(w(120:97:-1), 2, 12_MPI_COUNT_KIND, MPI_INTEGER, left, 2, MPI_COMM_WORLD, MPI_INFO_NULL, r(2))
  call exchange(6, 2, 2)
  call check(all(w(120:97:-1) == p%y) .and. all(w(:96) == 0), 'components')
  y = 0
  z = 0
  call MPI_Psend_init(z(1:12:2), 3, 4, MPI_REAL, right, 3, MPI_COMM_WORLD, MPI_INFO_NULL, r(1))
  call MPI_Precv_init(y%im, 4, 3, MPI_REAL, left, 3, MPI_COMM_WORLD, MPI_INFO_NULL, r(2))
  call MPI_Start(r(2))
  z%re = [(1.5 * i, i = 1, 12)]
  call MPI_Start(r(1))
  call MPI_Pready_range(0, 2, r(1))
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
  call check(all(y(1:12:2)%im == z(1:12:2)%re) .and. all(y(2:12:2)%im == 0) .and. all(y%re == 0), 'complex')
  call MPI_Request_free(r(1))
  call MPI_Request_free(r(2))

  ! A datatype with gaps, which jumps over elements of the section, and one of two elements.
  call MPI_Type_vector(2, 1, 2, MPI_INTEGER, gappy)
  call MPI_Type_commit(gappy)
  w = 0
  call MPI_Psend_init(v(1:119:2), 3, 2, gappy, right, 4, MPI_COMM_WORLD, MPI_INFO_NULL, r(1))
  call MPI_Precv_init(w(1:119:10), 4, 3, MPI_INTEGER, left, 4, MPI_COMM_WORLD, MPI_INFO_NULL, r(2))
  call exchange(3, 4, 2)
  ! Elements 1, 3, 4, 6, 7, 9, ... of the section.
  call check(all(w(1:119:10) == [(v(6 * i + 1), v(6 * i + 5), i = 0, 5)]), 'gaps')
  call MPI_Type_free(gappy)

  ! Nothing to send, nobody to send it to, and arguments that are wrong.
  call MPI_Psend_init(v(1:120:2), 3, 0, MPI_INTEGER, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, r(1))
  call MPI_Precv_init(w(1:120:2), 3, 0, MPI_INTEGER, left, 5, MPI_COMM_WORLD, MPI_INFO_NULL, r(2))
  call exchange(3, 3, 1)
  call MPI_Psend_init(v(1:120:2), 3, 7, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_INFO_NULL, r(1))
  call MPI_Precv_init(w(1:120:2), 3, 7, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_INFO_NULL, r(2))
  call exchange(3, 3, 1)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call refused(MPI_ERR_BUFFER, 3, 21, MPI_INTEGER)
  call refused(MPI_ERR_ARG, 0, 5, MPI_INTEGER)
  call refused(MPI_ERR_COUNT, 3, -1, MPI_INTEGER)
  call refused(MPI_ERR_TYPE, 3, 5, MPI_DATATYPE_NULL)
  call finish

contains
  ! Sends partitions of every second row and receives others of rows elsewhere, in three rounds.
  subroutine rows(sent, received)
    integer, intent(in) :: sent, received
    a = reshape([(1000 * me + i, i = 1, 120)], [24, 5])
    b = -1
    call MPI_Psend_init(a(1:24:2, :), sent, 60 / sent, MPI_INTEGER, right, 6, MPI_COMM_WORLD, MPI_INFO_NULL, r(1))
    call MPI_Precv_init(b(3:14, :), received, 60 / received, MPI_INTEGER, left, 6, MPI_COMM_WORLD, MPI_INFO_NULL, r(2))
    call exchange(sent, received, 3)
    call check(all(b(3:14, :) == a(1:24:2, :) + 1000 * (left - me) ) .and. all(b(:2, :) == -1) &
        .and. all(b(15:, :) == -1), 'rows')
  end subroutine

  ! Starts both operations, and has partitions ready one after the other, the last first.
  subroutine exchange(sent, received, rounds)
    integer, intent(in) :: sent, received, rounds
    integer :: i
    logical :: arrived
    do round = 1, rounds
      call MPI_Startall(2, r)
      do i = sent - 1, 0, -1
        call MPI_Pready(i, r(1))
      end do
      do i = 0, received - 1
        arrived = .false.
        do while (.not. arrived)
          call MPI_Parrived(r(2), i, arrived)
        end do
      end do
      call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
    end do
    call MPI_Request_free(r(1))
    call MPI_Request_free(r(2))
  end subroutine

  subroutine refused(class, n, each, datatype)
    integer, intent(in) :: class, n, each
    type(MPI_Datatype), intent(in) :: datatype
    integer :: code, found
    call MPI_Psend_init(v(1:120:2), n, each, datatype, me, 9, MPI_COMM_WORLD, MPI_INFO_NULL, r(1), code)
    call MPI_Error_class(code, found)
    call check(found == class, 'refused')
  end subroutine
end program
