! Attributes that are not set: .false. and 0, whatever the variables held.
#include "types.h"
module attributes
  use world
  implicit none
  integer(kind=ADDRESS_KIND) :: value
  logical :: flag
contains
  subroutine call_unset_attributes
    integer :: key, old_value
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, 0_ADDRESS_KIND, ierror)
    call spoil
    call MPI_Comm_get_attr(the_comm, key, value, flag, ierror)
    call is_unset('Comm_get_attr')
    old_value = -1
    flag = .true.
    call MPI_Attr_get(the_comm, key, old_value, flag, ierror)
    value = old_value
    call is_unset('Attr_get')
    call MPI_Comm_free_keyval(key, ierror)
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, key, 0_ADDRESS_KIND, ierror)
    call spoil
    call MPI_Type_get_attr(the_type, key, value, flag, ierror)
    call is_unset('Type_get_attr')
    call MPI_Type_free_keyval(key, ierror)
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, 0_ADDRESS_KIND, ierror)
    call spoil
    call MPI_Win_get_attr(the_win, key, value, flag, ierror)
    call is_unset('Win_get_attr')
    call MPI_Win_free_keyval(key, ierror)
  end subroutine

  subroutine spoil
    value = -1
    flag = .true.
  end subroutine

  subroutine is_unset(routine)
    character(len=*), intent(in) :: routine
    call ok(routine)
    call check(.not. flag .and. value == 0, routine // ' of what is not set')
  end subroutine
end module
