package io.cleat.launch;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.cli.Failure;
import io.cleat.cli.Flags;
import io.cleat.cli.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How an agent's process stands in the foreground: it reads its flags, starts, runs until SIGTERM or SIGINT, and ends
 * in order before the process does. A second signal ends it at once.
 */
final class Foreground {
    private final Program program;

    Foreground(Program program) {
        this.program = program;
    }

    /** What runs between start and end. */
    @FunctionalInterface
    interface Body {
        /**
         * Starts, waits for {@code end}, and ends in order.
         *
         * @return the exit code
         */
        int run(Flags flags, Ports ports, CountDownLatch end) throws Failure, Refused, Trouble, InterruptedException;
    }

    /** Runs the body; the answer is the exit code. */
    int run(List<String> args, Body body) {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger code = new AtomicInteger();
        Thread hook = new Thread(() -> {
            asked.countDown();
            awaitQuietly(ended);
            if (code.get() != 0) {
                // The exit code would be the signal's.
                Runtime.getRuntime().halt(code.get());
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Flags flags = program.read(args);
            if (flags.isHelpWanted()) {
                System.out.print(program.help());
                return 0;
            }
            Logging.begin();
            Signals.endAtOnceOnTheSecond();
            code.set(body.run(flags, Ports.system(), asked));
            return code.get();
        } catch (Failure failure) {
            return Program.report(failure, new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        } catch (Refused | Trouble e) {
            System.err.println("cleat " + program.name() + ": " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            return 1;
        } finally {
            ended.countDown();
        }
    }

    /** Fails unless this process may mount. */
    void requireRoot() throws Failure {
        if (!"root".equals(System.getProperty("user.name"))) {
            throw new Failure(
                    "cleat " + program.name() + " needs root, since it mounts volumes", "run it as root, or with sudo");
        }
    }

    static String hostName() throws DiskTrouble {
        Path file = Path.of("/proc/sys/kernel/hostname");
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new DiskTrouble("reading " + file + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
