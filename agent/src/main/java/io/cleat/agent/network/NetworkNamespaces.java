package io.cleat.agent.network;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import io.cleat.kernel.ShimCall;
import io.cleat.kernel.TextPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The network namespaces of allocations. Each is held by a file, where {@code ip netns} has them, so that it outlives
 * the agent and all tasks; it is gone after a boot. Any thread.
 */
public final class NetworkNamespaces {
    private static final Path DIRECTORY = Path.of("/run/netns");
    private static final String PREFIX = "cleat-";
    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final int MOST_WORDS = 500;

    private final ShimCall calls;

    NetworkNamespaces(ShimCall calls) {
        this.calls = calls;
    }

    /** The name of an allocation's namespace, by which CNI plugins know the allocation too. */
    static String name(String allocId) {
        return PREFIX + TextPath.encoded(allocId);
    }

    /** Where an allocation's namespace is while there is one. */
    public static Path path(String allocId) {
        return DIRECTORY.resolve(name(allocId));
    }

    /** Why none can be made on this machine; empty if nothing is known to be in the way. */
    static Optional<String> fault() {
        return SystemPrograms.find("ip").isPresent()
                ? Optional.empty()
                : Optional.of("the program ip is not installed (package iproute2)");
    }

    /** The names of all that are there, also of other agents of this machine. */
    static Set<String> all() throws IOException {
        if (!Files.isDirectory(DIRECTORY)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(PREFIX))
                    .collect(Collectors.toSet());
        }
    }

    boolean isThere(String allocId) {
        return Files.exists(path(allocId), LinkOption.NOFOLLOW_LINKS);
    }

    /** Makes one in which nothing can be reached but itself. */
    void make(String allocId) throws KernelTrouble, InterruptedException {
        ip("netns", "add", name(allocId));
        ip("-n", name(allocId), "link", "set", "lo", "up");
    }

    /** Lets it go: it ends with the last process in it. Idempotent. */
    void remove(String allocId) throws KernelTrouble, InterruptedException {
        if (isThere(allocId)) {
            ip("netns", "delete", name(allocId));
        }
    }

    private void ip(String... words) throws KernelTrouble, InterruptedException {
        String said = "ip " + String.join(" ", words);
        Path program = SystemPrograms.find("ip").orElseThrow(() -> failed(said, fault().orElse(""), Effect.NONE));
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(words));
        ShimCall.Ended ended = calls.run(Path.of("/"), command, Map.of("PATH", SystemPrograms.SEARCHED), WITHIN);
        if (ended.isLate()) {
            throw failed(said, "took more than " + WITHIN.toSeconds() + " s", Effect.UNKNOWN);
        }
        if (ended.code() != 0) {
            throw failed(
                    said,
                    "exit code "
                            + ended.code()
                            + ": "
                            + VisibleText.cut(ended.words().strip(), MOST_WORDS),
                    Effect.UNKNOWN);
        }
    }

    private static KernelTrouble failed(String what, String why, Effect effect) {
        return new KernelTrouble(what + " failed: " + why, effect, Retry.AFTER_OBSERVING);
    }
}
