package io.cleat.launch;

import io.cleat.agent.artifact.ConfinedArtifacts;
import io.cleat.artifact.AddressRange;
import io.cleat.artifact.Confinement;
import io.cleat.artifact.FetchLimits;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.jobspec.Sizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The flags of an agent that say what tasks may have fetched. */
final class ArtifactFlags {
    private static final String PATH = "artifact-path";
    private static final String TIMEOUT = "artifact-timeout";
    private static final String MAX_DOWNLOAD = "artifact-max-download";
    private static final String MAX_FILES = "artifact-max-files";
    private static final String MAX_UNPACKED = "artifact-max-unpacked";
    private static final String MAX_RATIO = "artifact-max-ratio";
    private static final String USER = "artifact-user";

    /** What stands for none. */
    private static final long NO_USER = 0xffff_ffffL;

    /** What may be fetched from near, which dev has too. */
    static final Flag ALLOW_ADDRESS = Flag.repeated(
            "artifact-allow-address",
            "CIDR",
            "Addresses of this machine or its link that artifacts may be taken from, such as"
                    + " 127.0.0.0/8; none unless given.");

    static final List<Flag> OWN = List.of(
            Flag.repeated(PATH, "directory", "A directory of this machine that artifacts may be taken from."),
            ALLOW_ADDRESS,
            Flag.value(TIMEOUT, "time", "The longest that one artifact may take to be downloaded; 30m unless given."),
            Flag.value(MAX_DOWNLOAD, "size", "The largest file that is downloaded; 100GB unless given."),
            Flag.value(MAX_FILES, "number", "How many files an artifact may have; 4096 unless given."),
            Flag.value(MAX_UNPACKED, "size", "How much an artifact may hold unpacked; 100GB unless given."),
            Flag.value(
                    MAX_RATIO,
                    "number",
                    "How many times as large as its archive an artifact may be, beyond 16 MiB; 200 unless given."),
            Flag.value(
                    USER,
                    "number",
                    "As whom artifacts are fetched: a number of user and group that nobody"
                            + " else has; 1990000000 unless given."));

    private ArtifactFlags() {}

    static ConfinedArtifacts.Settings read(Flags flags) throws Failure {
        FetchLimits usual = FetchLimits.standard();
        return new ConfinedArtifacts.Settings(
                flags.values(PATH).stream()
                        .map(each -> Path.of(each).toAbsolutePath())
                        .toList(),
                allowed(flags),
                new FetchLimits(
                        flags.duration(TIMEOUT).orElse(usual.time()),
                        size(flags, MAX_DOWNLOAD, usual.download()),
                        (int) Math.min(size(flags, MAX_FILES, usual.files()), Integer.MAX_VALUE),
                        size(flags, MAX_UNPACKED, usual.unpacked()),
                        usual.disk(),
                        (int) Math.min(size(flags, MAX_RATIO, usual.ratio()), Integer.MAX_VALUE),
                        usual.patience()),
                user(flags));
    }

    static long user(Flags flags) throws Failure {
        String given = flags.value(USER).orElse(Long.toString(Confinement.USUAL_USER));
        if (!given.matches("[1-9][0-9]{0,9}") || Long.parseLong(given) >= NO_USER) {
            throw new Failure(
                    "-" + USER + "=" + given + " is no number of a user",
                    "expected one between 1 and 4294967294 that nobody else has, such as " + Confinement.USUAL_USER);
        }
        return Long.parseLong(given);
    }

    static List<AddressRange> allowed(Flags flags) throws Failure {
        List<AddressRange> allowed = new ArrayList<>();
        for (String text : flags.values(ALLOW_ADDRESS.name())) {
            allowed.add(AddressRange.parse(text)
                    .orElseThrow(() -> new Failure(
                            "-" + ALLOW_ADDRESS.name() + "=" + text + " is no range of addresses",
                            "expected one such as 127.0.0.0/8 or fd00::/8")));
        }
        return allowed;
    }

    static long size(Flags flags, String name, long usual) throws Failure {
        Optional<String> given = flags.value(name);
        if (given.isEmpty()) {
            return usual;
        }
        long size = Sizes.parse(given.get()).orElse(0);
        if (size <= 0) {
            throw new Failure(
                    "-" + name + "=" + given.get() + " is no number above zero",
                    "expected one such as 4096, 500MB or 100GB");
        }
        return size;
    }
}
