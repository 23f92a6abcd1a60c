package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program whose calls all hang, in a machine with one carrier of virtual threads and no more to be had. It ends only
 * if others run meanwhile.
 */
final class HungCalls {
    private static final int MANY = 4;

    private HungCalls() {}

    /** The argument is an empty directory. */
    public static void main(String[] args) throws Exception {
        Path begun = Path.of(args[0]);
        SystemTime time = new SystemTime();
        Threads threads = Threads.virtual((where, fault) -> System.exit(2));
        List<String> mute = List.of("sh", "-c", "echo >" + begun + "/$$; exec sleep 1000");
        List<Thread> callers = new ArrayList<>();
        try (PathWorkers silent = new PathWorkers(mute, threads, time)) {
            for (int i = 0; i < MANY; i++) {
                Paths hung = silent.of("plugin" + i);
                Duration given = i == 0 ? Duration.ofSeconds(1) : Duration.ofDays(1);
                callers.add(threads.vitalWork("caller/" + i, () -> {
                    try {
                        hung.stat(new Place(begun, "a"), Deadline.in(time, given));
                    } catch (KernelTrouble expected) {
                        System.out.println(expected.reason());
                    }
                }));
            }
            while (entries(begun) < MANY) {
                Thread.onSpinWait();
            }
            callers.getFirst().join();
            threads.vitalWork("another", () -> callers.forEach(Thread::interrupt))
                    .join();
            for (Thread caller : callers) {
                caller.join();
            }
        }
    }

    private static long entries(Path directory) throws Exception {
        try (Stream<Path> found = Files.list(directory)) {
            return found.count();
        }
    }
}
