package io.cleat.launch;

import com.sun.management.UnixOperatingSystemMXBean;
import io.cleat.http.HttpServer;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * How many files and sockets this process may have open at once. Clients get half of what the program itself does not
 * need, so that no crowd of clients keeps a record from being written or a task from being started.
 *
 * @param most the limit; the virtual machine has raised the soft one to the hard one
 * @param open at the start, most of them jars
 */
record Descriptors(long most, long open) {
    /** What an agent with some hundred tasks and as many clients needs. */
    private static final long ENOUGH = 4096;

    /** What the program comes to need beside those of its start, before it has work. */
    private static final long MORE = 64;

    private static final long FEWEST_CLIENTS = 8;

    static Descriptors ofProcess() {
        UnixOperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
        return new Descriptors(system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount());
    }

    HttpServer.Limits http() {
        HttpServer.Limits usual = HttpServer.Limits.DEFAULT;
        return usual.withConnections((int) Math.clamp((most - open - MORE) / 2, FEWEST_CLIENTS, usual.connections()));
    }

    /** What a person has to know before it is noticed by what fails. */
    Optional<String> warning() {
        return most >= ENOUGH
                ? Optional.empty()
                : Optional.of("at most "
                        + most
                        + " files and sockets may be open at once, of which "
                        + http().connections()
                        + " are for clients; expected at least "
                        + ENOUGH
                        + ": start the agent by root's prlimit --nofile=65536:65536 ./cleat"
                        + " agent ..., or with LimitNOFILE=65536 in its systemd unit");
    }
}
