package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Sha256;
import io.cleat.base.TextRule;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * The way from a text of somebody else to a path. A job, a plugin or an old row may hold any text: one with a NUL is no
 * path, and neither is one with letters that this process's locale lacks.
 */
public final class TextPath {
    /** Bytes of one name, of which the kernel takes no more. */
    private static final int LONGEST = 255;

    /** How much of a name that is too long stays readable. */
    private static final int READABLE = 180;

    private TextPath() {}

    /** The path; empty if the text is none. */
    public static Optional<Path> of(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException invalid) {
            return Optional.empty();
        }
    }

    /**
     * The path.
     *
     * @param what such as {@code the stage_publish_base_dir of plugin "local"}
     * @throws KernelTrouble with no effect if the text is none
     */
    public static Path require(String what, String text) throws KernelTrouble {
        return of(text).orElseThrow(() -> new KernelTrouble(
                what
                        + " is no path: it is "
                        + TextRule.quoted(text)
                        + ", and a path has no NUL character, and only letters of the locale (LC_ALL=C.UTF-8 has all)",
                Effect.NONE,
                Retry.NEVER));
    }

    /** The one entry of {@code directory} that stands for {@code id}; never outside of it. */
    public static Path entry(Path directory, String id) {
        return directory.resolve(encoded(id));
    }

    /**
     * An id as one name in a path: letters, digits and {@code ._-} stay, every other byte becomes {@code %XX}. So does
     * the first of {@code .} and {@code ..}. What would be longer than a name may be ends in a digest of the id
     * instead.
     */
    public static String encoded(String id) {
        return encoded(id, id.equals(".") || id.equals(".."));
    }

    /**
     * As {@link #encoded(String)}.
     *
     * @param taken whether the name stands for something else, so that its first letter is encoded
     */
    public static String encoded(String id, boolean taken) {
        StringBuilder name = new StringBuilder();
        for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '_'
                    || c == '-'
                    || c == '.';
            if (plain && !(taken && name.isEmpty())) {
                name.append(c);
            } else {
                name.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        if (name.length() > LONGEST) {
            return name.substring(0, READABLE) + "%-" + digest(id);
        }
        // An empty id would be no name at all.
        return name.isEmpty() ? "%" : name.toString();
    }

    private static String digest(String id) {
        return HexFormat.of().formatHex(Sha256.of(id));
    }
}
