! heat2d.f90 - heat spreads through a plate, computed by any number of ranks: heat2d.c in Fortran.
!
!   mpifort -O2 -o heat2d heat2d.f90
!   mpiexec -n 4 ./heat2d cup.pgm result.pgm [tolerance [max-iterations]]
!
! What it computes is told in heat2d.c; the result is the same in every bit. The rows of blocks are columns
! here: Fortran keeps the first index together, so u(x, y) is the point of column x in row y.
!
! What Fortran adds: a column of the halo is a section of the array, u(1, 1:rows), and is sent and received as
! it stands. No copy is made, neither by the program nor by the compiler, so that nonblocking calls may use it.
program heat2d
  use mpi_f08
  implicit none
  integer, parameter :: hot = 255, max_side = 32768, check_every = 20
  integer, parameter :: upwards = 0, downwards = 1, leftwards = 2, rightwards = 3

  type block_type ! the part of the plate that one rank computes
    integer :: row, col, rows, cols      ! its first point from 0 on, its size without the halo
    integer :: up, down, left, right     ! ranks of the neighbours
  end type

  integer :: rank, ranks, width, height, p, q, limit, steps, i, x, y
  double precision :: tolerance, seconds, residual, largest
  character(len=1), allocatable :: picture(:, :)
  double precision, allocatable, asynchronous :: u(:, :)
  double precision, allocatable :: next(:, :)
  logical, allocatable :: held(:, :)
  character(len=1024) :: input, output
  type(block_type) :: b
  integer :: task(5)
  logical :: ok

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)

  task = 0 ! a width of 0 says that the program cannot start
  if (rank == 0) call prepare()
  call MPI_Bcast(task, 5, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Bcast(tolerance, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  width = task(1); height = task(2); p = task(3); q = task(4); limit = task(5)
  if (width == 0) then
    call MPI_Finalize()
    stop 1
  end if
  if (rank /= 0) allocate (picture(width, height))
  call MPI_Bcast(picture, width * height, MPI_CHARACTER, 0, MPI_COMM_WORLD)

  b = block_of(rank)
  allocate (u(0:b%cols + 1, 0:b%rows + 1), source=0d0)
  allocate (next(0:b%cols + 1, 0:b%rows + 1), source=0d0)
  allocate (held(b%cols, b%rows))
  do i = 1, b%rows
    y = b%row + i
    do x = 1, b%cols
      u(x, i) = ichar(picture(b%col + x, y))
      held(x, i) = u(x, i) == hot .or. y == 1 .or. y == height .or. b%col + x == 1 .or. b%col + x == width
    end do
  end do

  call MPI_Barrier(MPI_COMM_WORLD)
  seconds = MPI_Wtime()
  residual = huge(residual)
  steps = 0
  do while (steps < limit .and. residual > tolerance)
    call exchange_halo()
    largest = relax()
    call swap()
    ! All ranks must stop after the same step. To ask now and then is cheaper.
    steps = steps + 1
    if (mod(steps, check_every) == 0 .or. steps == limit) &
      call MPI_Allreduce(largest, residual, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  end do
  seconds = MPI_Wtime() - seconds

  call collect()
  ok = .true.
  if (rank == 0) then
    write (*, '(a, i0, a, i0, a)') 'plate       ', width, ' x ', height, ' points'
    write (*, '(a, i0, a, i0, a, i0, a)') 'ranks       ', ranks, ' (', p, ' x ', q, ')'
    write (*, '(a, i0, a)') 'iterations  ', steps, trim(merge(' (the limit)', '            ', residual > tolerance))
    write (*, '(a, g0.17)') 'residual    ', residual
    write (*, '(a, f0.3, a)') 'time        ', seconds, ' s'
    call write_picture(ok)
  end if
  call MPI_Finalize()
  if (.not. ok) stop 1

contains
  ! Renews the halo of u. A row is one piece of memory, a column is a section: both travel as they are. At the
  ! rim of the plate the neighbour is MPI_PROC_NULL, and sending to it or receiving from it does nothing.
  subroutine exchange_halo()
    type(MPI_Request) :: r(8)
    integer :: n, m
    n = b%cols
    m = b%rows
    associate (world => MPI_COMM_WORLD, real8 => MPI_DOUBLE_PRECISION)
      call MPI_Irecv(u(1:n, 0), n, real8, b%up, downwards, world, r(1))
      call MPI_Irecv(u(1:n, m + 1), n, real8, b%down, upwards, world, r(2))
      call MPI_Irecv(u(0, 1:m), m, real8, b%left, rightwards, world, r(3))
      call MPI_Irecv(u(n + 1, 1:m), m, real8, b%right, leftwards, world, r(4))
      call MPI_Isend(u(1:n, 1), n, real8, b%up, upwards, world, r(5))
      call MPI_Isend(u(1:n, m), n, real8, b%down, downwards, world, r(6))
      call MPI_Isend(u(1, 1:m), m, real8, b%left, leftwards, world, r(7))
      call MPI_Isend(u(n, 1:m), m, real8, b%right, rightwards, world, r(8))
      call MPI_Waitall(8, r, MPI_STATUSES_IGNORE)
    end associate
  end subroutine

  ! One step from u to next; returns the largest change of any point. See heat2d.c for why the number of ranks
  ! cannot matter.
  double precision function relax() result(largest)
    double precision :: around, change
    integer :: x, y
    largest = 0
    do y = 1, b%rows
      do x = 1, b%cols
        around = (u(x, y - 1) + u(x, y + 1)) + (u(x - 1, y) + u(x + 1, y))
        change = 0.125d0 * around - 0.5d0 * u(x, y)
        if (held(x, y)) change = 0
        next(x, y) = u(x, y) + change
        largest = max(largest, abs(change))
      end do
    end do
  end function

  subroutine swap()
    double precision, allocatable :: other(:, :)
    call move_alloc(u, other)
    call move_alloc(next, u)
    call move_alloc(other, next)
  end subroutine

  ! Brings all blocks, rounded to grey values, together in the picture of rank 0: it receives a block right into
  ! its place, which is a section of the picture.
  subroutine collect()
    character(len=1) :: grey(b%cols, b%rows)
    type(block_type) :: o
    integer :: from, x, y
    do y = 1, b%rows
      do x = 1, b%cols
        grey(x, y) = char(int(u(x, y) + 0.5d0))
      end do
    end do
    if (rank /= 0) then
      call MPI_Send(grey, b%cols * b%rows, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD)
      return
    end if
    picture(b%col + 1:b%col + b%cols, b%row + 1:b%row + b%rows) = grey
    do from = 1, ranks - 1
      o = block_of(from)
      call MPI_Recv(picture(o%col + 1:o%col + o%cols, o%row + 1:o%row + o%rows), o%cols * o%rows, &
        MPI_CHARACTER, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end do
  end subroutine

  ! The block of a rank; blocks differ by at most one row and one column.
  type(block_type) function block_of(of) result(o)
    integer, intent(in) :: of
    integer :: i, j
    i = of / q
    j = mod(of, q)
    o%row = part(i, height, p)
    o%rows = part(i + 1, height, p) - o%row
    o%col = part(j, width, q)
    o%cols = part(j + 1, width, q) - o%col
    o%up = merge(of - q, MPI_PROC_NULL, i > 0)
    o%down = merge(of + q, MPI_PROC_NULL, i < p - 1)
    o%left = merge(of - 1, MPI_PROC_NULL, j > 0)
    o%right = merge(of + 1, MPI_PROC_NULL, j < q - 1)
  end function

  integer function part(i, size, of)
    integer, intent(in) :: i, size, of
    part = int(int(i, 8) * size / of)
  end function

  ! Splits the ranks into p rows of q so that the cuts through the plate are shortest. False if there are too
  ! many.
  logical function choose_grid() result(found)
    integer(8) :: best, cut
    integer :: rows, cols
    best = huge(best)
    do rows = 1, min(ranks, task(2))
      cols = ranks / rows
      cut = int(rows - 1, 8) * task(1) + int(cols - 1, 8) * task(2)
      if (rows * cols == ranks .and. cols <= task(1) .and. cut < best) then
        best = cut
        task(3:4) = [rows, cols]
      end if
    end do
    found = best /= huge(best)
  end function

  ! Reads the arguments and the picture, on rank 0 only.
  subroutine prepare()
    character(len=64) :: word
    integer :: problem
    tolerance = 0.2d0
    task(5) = 100000
    problem = 0
    if (command_argument_count() < 2 .or. command_argument_count() > 4) problem = 1
    call get_command_argument(1, input)
    call get_command_argument(2, output)
    if (command_argument_count() >= 3) then
      call get_command_argument(3, word)
      read (word, *, iostat=i) tolerance
      if (i /= 0 .or. .not. tolerance >= 0) problem = 1
    end if
    if (command_argument_count() >= 4) then
      call get_command_argument(4, word)
      read (word, *, iostat=i) task(5)
      if (i /= 0 .or. task(5) < 1) problem = 1
    end if
    if (problem /= 0) then
      write (0, '(a)') 'usage: heat2d input.pgm output.pgm [tolerance [max-iterations]]'
      return
    end if
    call read_picture()
    if (task(1) > 0) then
      if (.not. choose_grid()) then
        write (0, '(2a, i0, a)') trim(input), ': the picture cannot be cut into ', ranks, ' blocks'
        task(1) = 0
      end if
    end if
  end subroutine

  ! Reads a picture; leaves a width of 0, after a message, if that cannot be done.
  subroutine read_picture()
    integer :: unit, error, numbers(3), k
    character(len=1) :: c
    character(len=2) :: magic
    open (newunit=unit, file=input, access='stream', form='unformatted', status='old', action='read', iostat=error)
    if (error == 0) read (unit, iostat=error) magic
    if (error /= 0) then
      write (0, '(2a)') trim(input), ': cannot be read'
      return
    end if
    do k = 1, 3
      numbers(k) = -1
      do ! white space and comments
        read (unit, iostat=error) c
        if (error == 0 .and. c == '#') then
          do while (error == 0 .and. c /= achar(10))
            read (unit, iostat=error) c
          end do
        end if
        if (error /= 0 .or. (c >= '0' .and. c <= '9')) exit
      end do
      if (error == 0) numbers(k) = 0
      do while (error == 0 .and. c >= '0' .and. c <= '9' .and. numbers(k) < 100000)
        numbers(k) = 10 * numbers(k) + ichar(c) - ichar('0')
        read (unit, iostat=error) c
      end do
    end do
    if (magic /= 'P5' .or. any(numbers(1:2) < 3) .or. any(numbers(1:2) > max_side) .or. numbers(3) /= hot) then
      write (0, '(2a)') trim(input), ': must be a binary PGM picture (P5), 3 to 32768 points wide and high'
      return
    end if
    allocate (picture(numbers(1), numbers(2)))
    read (unit, iostat=error) picture
    close (unit)
    if (error /= 0) then
      write (0, '(2a)') trim(input), ': ends too early'
    else
      task(1:2) = numbers(1:2)
    end if
  end subroutine

  ! Writes the picture; not ok, after a message, if that cannot be done.
  subroutine write_picture(ok)
    logical, intent(out) :: ok
    character(len=64) :: head
    integer :: unit, error
    write (head, '(a, i0, a, i0, a, i0)') 'P5' // achar(10), width, ' ', height, achar(10), hot
    open (newunit=unit, file=output, access='stream', form='unformatted', status='replace', iostat=error)
    if (error == 0) write (unit, iostat=error) trim(head), achar(10), picture
    if (error == 0) close (unit, iostat=error)
    ok = error == 0
    if (.not. ok) write (0, '(2a)') trim(output), ': cannot be written'
  end subroutine
end program
