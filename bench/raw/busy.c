/* busy.c - a program that computes for as long as the process that started it is there:
 * the other programs of a machine.
 *
 *   ./busy
 */
#include <unistd.h>

int main(void)
{
    const pid_t parent = getppid();

    while (getppid() == parent)
        for (volatile int turns = 0; turns < 1000000; turns++)
            ;
    return 0;
}
