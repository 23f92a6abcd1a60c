package io.cleat.localplugin;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs of other packages that the plugin starts. They end with the plugin's process, however that ends: nobody
 * is left to write into what the next one clears.
 */
final class Programs {
    private static final int LONGEST_OUTPUT = 4096;
    private static final String LEASH = "setpriv";
    private static final String LATE = "late";

    /** The Debian package of each. */
    private static final Map<String, String> PACKAGES = Map.of(
            "mkfs.ext4", "e2fsprogs",
            "resize2fs", "e2fsprogs",
            "e2fsck", "e2fsprogs",
            "mkfs.xfs", "xfsprogs",
            "xfs_growfs", "xfsprogs",
            "mkfs.btrfs", "btrfs-progs",
            "btrfstune", "btrfs-progs",
            "btrfs", "btrfs-progs",
            "cp", "coreutils");

    private final List<Path> places;

    /** Those of this machine. */
    Programs() {
        this(places());
    }

    /** @param places where programs are looked for, in order */
    Programs(List<Path> places) {
        this.places = List.copyOf(places);
    }

    private static List<Path> places() {
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1)),
                        Stream.of("/usr/sbin", "/sbin", "/usr/bin", "/bin"))
                .filter(place -> place.startsWith("/"))
                .map(Path::of)
                .toList();
    }

    /**
     * The program's file.
     *
     * @throws CallRefused when it is absent, with the command that brings it
     */
    Path require(String program) throws CallRefused {
        return places.stream()
                .map(place -> place.resolve(program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> CallRefused.tooSoon(program
                        + " is absent on this machine; this brings it: apt-get install "
                        + PACKAGES.getOrDefault(program, program)));
    }

    /**
     * Runs a program to its end.
     *
     * @throws KernelTrouble when it says no, in its words, or takes longer than {@code limit}
     */
    void run(Duration limit, String program, String... arguments)
            throws CallRefused, KernelTrouble, InterruptedException {
        run(limit, 0, program, arguments);
    }

    /**
     * As {@link #run(Duration, String, String...)}.
     *
     * @param worst the highest exit code that still says yes
     */
    void run(Duration limit, int worst, String program, String... arguments)
            throws CallRefused, KernelTrouble, InterruptedException {
        if (!endsWithin(limit, worst, program, arguments)) {
            throw failed(program, arguments, "did not end within " + limit.toSeconds() + " seconds");
        }
    }

    /**
     * As {@link #run(Duration, String, String...)}, for work that can be thrown away.
     *
     * @return false if it took longer than {@code limit}, and was ended
     */
    boolean endsWithin(Duration limit, String program, String... arguments)
            throws CallRefused, KernelTrouble, InterruptedException {
        return endsWithin(limit, 0, program, arguments);
    }

    private boolean endsWithin(Duration limit, int worst, String program, String... arguments)
            throws CallRefused, KernelTrouble, InterruptedException {
        List<String> command = new ArrayList<>();
        if (places.stream().anyMatch(place -> Files.isExecutable(place.resolve(LEASH)))) {
            command.addAll(List.of(require(LEASH).toString(), "--pdeathsig", "KILL"));
        }
        command.add(require(program).toString());
        command.addAll(List.of(arguments));
        CompletableFuture<String> failure = new CompletableFuture<>();
        // The kernel ends the child with the thread that started it, and a virtual thread's
        // carrier may end before its time.
        Thread thread = Thread.ofPlatform()
                .name("program/" + program)
                .daemon()
                .start(() -> failure.complete(failure(command, limit, worst)));
        try {
            String said = failure.get();
            if (!said.isEmpty() && !said.equals(LATE)) {
                throw failed(program, arguments, said);
            }
            return said.isEmpty();
        } catch (ExecutionException fault) {
            throw new IllegalStateException(fault);
        } finally {
            thread.interrupt();
        }
    }

    private static KernelTrouble failed(String program, String[] arguments, String said) {
        return new KernelTrouble(
                program + " " + String.join(" ", arguments) + " " + said, Effect.NONE, Retry.SAME_CALL);
    }

    /** What went wrong, {@link #LATE} where it took too long; empty when nothing did. */
    private static String failure(List<String> command, Duration limit, int worst) {
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("LC_ALL", "C");
            process = builder.start();
        } catch (IOException failed) {
            return "could not be started: " + failed.getMessage();
        }
        try {
            process.getOutputStream().close();
            // They are told to be quiet: a few lines, less than a pipe holds.
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                return LATE;
            }
            if (process.exitValue() <= worst) {
                return "";
            }
            byte[] output = process.getInputStream().readNBytes(LONGEST_OUTPUT);
            return "ended with code " + process.exitValue() + ": " + new String(output, StandardCharsets.UTF_8).strip();
        } catch (IOException failed) {
            return "could not be heard: " + failed.getMessage();
        } catch (InterruptedException ended) {
            return "was stopped, as the plugin is";
        } finally {
            process.destroyForcibly();
        }
    }
}
