package io.cleat.model;

import io.cleat.base.Refused;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How files are packed into one.
 *
 * @param container what holds several files; {@link Container#NONE} for one that is only compressed
 * @param compression around it
 */
public record ArtifactPacking(Container container, Compression compression) {
    /** What holds several files. */
    public enum Container {
        NONE,
        TAR,
        ZIP
    }

    /** What makes bytes fewer. */
    public enum Compression {
        NONE,
        GZIP,
        BZIP2,
        XZ,
        ZSTD
    }

    /** The endings of names, longer ones before those that they end in. */
    private record Ending(String name, Container container, Compression compression) {}

    private static final List<Ending> ENDINGS = List.of(
            new Ending("tar.gz", Container.TAR, Compression.GZIP),
            new Ending("tgz", Container.TAR, Compression.GZIP),
            new Ending("tar.bz2", Container.TAR, Compression.BZIP2),
            new Ending("tbz2", Container.TAR, Compression.BZIP2),
            new Ending("tar.xz", Container.TAR, Compression.XZ),
            new Ending("txz", Container.TAR, Compression.XZ),
            new Ending("tar.zst", Container.TAR, Compression.ZSTD),
            new Ending("tzst", Container.TAR, Compression.ZSTD),
            new Ending("tar", Container.TAR, Compression.NONE),
            new Ending("zip", Container.ZIP, Compression.NONE),
            new Ending("gz", Container.NONE, Compression.GZIP),
            new Ending("bz2", Container.NONE, Compression.BZIP2),
            new Ending("xz", Container.NONE, Compression.XZ),
            new Ending("zst", Container.NONE, Compression.ZSTD));

    private static final List<String> NO = List.of("false", "f", "0");
    private static final List<String> YES = List.of("true", "t", "1", "");

    /** Whether and how a source is unpacked. */
    public sealed interface Wish {
        /** As its name says. */
        record ByName() implements Wish {}

        /** Not at all. */
        record Never() implements Wish {}

        /** Whatever its name. */
        record As(ArtifactPacking packing) implements Wish {}
    }

    /** @param value of the option {@code archive}; empty if it was not given */
    public static Wish ofOption(String value) throws Refused {
        String known = value.toLowerCase(Locale.ROOT);
        if (NO.contains(known)) {
            return new Wish.Never();
        }
        if (YES.contains(known)) {
            return new Wish.ByName();
        }
        return ENDINGS.stream()
                .filter(ending -> ending.name().equals(known))
                .findFirst()
                .<Wish>map(ending -> new Wish.As(packing(ending)))
                .orElseThrow(() -> ArtifactSource.refused("archive = \""
                        + value
                        + "\" is not known; expected false, or one of "
                        + ENDINGS.stream().map(Ending::name).toList()));
    }

    /** What the name of a file says; empty for one that is not packed. */
    public static Optional<ArtifactPacking> ofName(String name) {
        return ending(name).map(ArtifactPacking::packing);
    }

    /** A file's name without the ending that says how it is packed. */
    public static String nameWithout(String name) {
        return ending(name)
                .map(ending -> name.substring(0, name.length() - ending.name().length() - 1))
                .orElse(name);
    }

    private static Optional<Ending> ending(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return ENDINGS.stream()
                .filter(ending -> lower.endsWith("." + ending.name()))
                .findFirst();
    }

    private static ArtifactPacking packing(Ending ending) {
        return new ArtifactPacking(ending.container(), ending.compression());
    }
}
