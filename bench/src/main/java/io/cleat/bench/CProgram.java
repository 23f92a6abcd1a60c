package io.cleat.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Small programs that take no memory of their own and no time to start. */
final class CProgram {
    /** Waits for ever. */
    static final String PAUSING = "#include <unistd.h>\nint main(void) { pause(); return 0; }\n";

    /**
     * Prints lines of 100 bytes: with one argument, one every so many milliseconds, for ever, after a part of that
     * which differs from process to process; with two, so many, 40 at once.
     */
    static final String PRINTING = """
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>
            static char lines[4000];
            int main(int count, char **args) {
                memset(lines, 'x', sizeof lines);
                for (int i = 99; i < 4000; i += 100) lines[i] = '\\n';
                long number = atol(args[1]);
                if (count > 2) {
                    for (; number > 0; number -= 40) if (write(1, lines, 4000) != 4000) return 1;
                    return 0;
                }
                usleep((unsigned)(getpid() * 7919L % (number * 1000)));
                while (write(1, lines, 100) == 100) usleep((unsigned)(number * 1000));
                return 1;
            }
            """;

    private CProgram() {}

    static Path build(Path scratch, String name, String text) throws IOException, InterruptedException {
        Path source = Files.writeString(scratch.resolve(name + ".c"), text);
        Path program = scratch.resolve(name);
        Commands.run("cc", "-static", "-Os", "-o", program.toString(), source.toString());
        return program;
    }
}
