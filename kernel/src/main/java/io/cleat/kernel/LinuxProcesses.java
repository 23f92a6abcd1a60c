package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Processes as {@code /proc} tells of them (proc_pid_stat(5)); signals by pidfd_send_signal(2). */
final class LinuxProcesses implements Processes {
    private static final long PIDFD_OPEN = 434;
    private static final long PIDFD_SEND_SIGNAL = 424;

    /** The kernel tells user space ticks of this length, whatever it counts itself. */
    private static final long NANOS_PER_TICK = 10_000_000;

    private static final long PAGE = 4096;

    /** proc_pid_status(5): real, effective, saved, and of the file system. */
    private static final String USERS = "Uid:";

    private final Path proc;

    LinuxProcesses(Path proc) {
        this.proc = proc;
    }

    /** The fields of one process that are used here. */
    private record Stat(char state, long session, long startTime, long user, long system, long pages) {
        boolean lives() {
            return state != 'Z' && state != 'X' && state != 'x';
        }
    }

    @Override
    public Optional<ProcessIdentity> identify(long pid) throws KernelTrouble {
        Optional<Stat> stat = stat(pid).filter(Stat::lives);
        return stat.isEmpty()
                ? Optional.empty()
                : Optional.of(new ProcessIdentity(pid, stat.get().startTime(), BootId.read()));
    }

    @Override
    public boolean signal(ProcessIdentity process, int signal) throws KernelTrouble {
        // What was opened before the look is what was looked at: the id cannot change hands after.
        int descriptor = Libc.syscall(PIDFD_OPEN, process.pid(), 0, 0);
        if (descriptor == -Errno.ESRCH || descriptor == -Errno.EINVAL) {
            return false;
        }
        if (descriptor < 0) {
            throw failed("opening " + process + " (needs Linux 5.3 or newer)", descriptor);
        }
        try {
            if (!isAlive(process)) {
                return false;
            }
            int result = Libc.syscall(PIDFD_SEND_SIGNAL, descriptor, signal, 0);
            if (result < 0 && result != -Errno.ESRCH) {
                throw failed("sending signal " + signal + " to " + process, result);
            }
            return result >= 0;
        } finally {
            Libc.close(descriptor);
        }
    }

    @Override
    public List<ProcessIdentity> session(long leader) throws KernelTrouble {
        BootId boot = BootId.read();
        List<ProcessIdentity> members = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path entry : entries) {
                long pid = Long.parseLong(entry.getFileName().toString());
                stat(pid)
                        .filter(Stat::lives)
                        .filter(stat -> stat.session() == leader)
                        .ifPresent(s -> members.add(new ProcessIdentity(pid, s.startTime(), boot)));
            }
        } catch (IOException | NumberFormatException failed) {
            throw new KernelTrouble(
                    "the processes of session " + leader + " could not be listed: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
        return members;
    }

    @Override
    public NavigableSet<Long> users() throws KernelTrouble {
        NavigableSet<Long> users = new TreeSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path entry : entries) {
                users.addAll(usersOf(entry));
            }
        } catch (IOException | NumberFormatException failed) {
            throw new KernelTrouble(
                    "the users of processes could not be listed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
        return users;
    }

    /** None of a process that is gone. */
    private static List<Long> usersOf(Path process) {
        try {
            for (String line : Files.readAllLines(process.resolve("status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(USERS)) {
                    return Stream.of(line.substring(USERS.length()).strip().split("\\s+", -1))
                            .map(Long::valueOf)
                            .toList();
                }
            }
        } catch (IOException gone) {
            return List.of();
        }
        return List.of();
    }

    @Override
    public boolean shareSession(long pid, long other) throws KernelTrouble {
        Optional<Stat> one = stat(pid).filter(Stat::lives);
        Optional<Stat> two = stat(other).filter(Stat::lives);
        return one.isPresent()
                && two.isPresent()
                && one.get().session() == two.get().session();
    }

    @Override
    public Optional<Usage> usage(ProcessIdentity process) throws KernelTrouble {
        return stat(process.pid())
                .filter(Stat::lives)
                .filter(stat -> stat.startTime() == process.startTime())
                .map(stat ->
                        new Usage(stat.user() * NANOS_PER_TICK, stat.system() * NANOS_PER_TICK, stat.pages() * PAGE));
    }

    private Optional<Stat> stat(long pid) throws KernelTrouble {
        String text;
        try {
            byte[] bytes = Files.readAllBytes(proc.resolve(Long.toString(pid)).resolve("stat"));
            text = new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return Optional.empty();
        }
        // The name in parentheses may hold any character, parentheses and spaces too.
        String[] fields = text.substring(text.lastIndexOf(')') + 1).strip().split(" ", -1);
        try {
            return Optional.of(new Stat(
                    fields[0].charAt(0),
                    Long.parseLong(fields[3]),
                    Long.parseLong(fields[19]),
                    Long.parseLong(fields[11]),
                    Long.parseLong(fields[12]),
                    Long.parseLong(fields[21])));
        } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
            throw new KernelTrouble(
                    "what the kernel says of process " + pid + " is not as expected: " + text,
                    Effect.NONE,
                    Retry.NEVER,
                    malformed);
        }
    }

    private static KernelTrouble failed(String what, int result) {
        return new KernelTrouble(what + " failed: " + Errno.text(-result), Effect.NONE, Retry.SAME_CALL);
    }
}
