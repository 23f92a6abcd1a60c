package io.cleat.fuzz.targets;

import io.cleat.fuzz.Target;
import java.util.List;

/** All of them. */
public final class Targets {
    public static final List<Target> ALL = List.of(
            new JobJson(),
            new VolumeJson(),
            new HttpRequests(),
            new JobHcl(),
            new VolumeHcl(),
            new Templates(),
            new Filters(),
            new Crons(),
            new CsiReplies(),
            new ExecFrames(),
            new ExecStream(),
            new ShimWords(),
            new Stored(),
            new JournalBytes());

    private Targets() {}

    public static Target named(String name) {
        return ALL.stream()
                .filter(target -> target.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no target " + name));
    }
}
