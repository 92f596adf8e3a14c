/* start.c — where the program begins: a place at which the system may land if jumps are checked (IBT)
 *
 * The C library's _start may begin without endbr64 (Debian 12). Then the whole program could not be marked as checked. */
extern int main(int argc, char **argv); /* so that the file is not empty on other processors */

#if defined(__x86_64__) && defined(__CET__)
__asm__(".text\n"
        ".globl ofw_start\n"
        ".hidden ofw_start\n"
        ".type ofw_start, @function\n"
        "ofw_start:\n"
        "  endbr64\n"
        "  jmp _start\n"
        ".size ofw_start, . - ofw_start\n");
#endif
