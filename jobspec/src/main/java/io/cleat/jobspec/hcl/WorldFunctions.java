package io.cleat.jobspec.hcl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;

/**
 * {@code file abspath pathexpand timestamp uuidv4 uuidv5}. Paths start at the folder of the file that names them; a
 * text that came from elsewhere may not look at the file system of whoever reads it.
 */
final class WorldFunctions {
    /** Name spaces that are called by a word (RFC 9562, 6.6). */
    private static final Map<String, String> NAME_SPACES = Map.of(
            "dns", "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "url", "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
            "oid", "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
            "x500", "6ba7b814-9dad-11d1-80b4-00c04fd430c8");

    private WorldFunctions() {}

    static void addTo(Functions all, RuntimeValues runtime) {
        all.add("file", "path", 1, 1, WorldFunctions::file);
        all.add("abspath", "path", 1, 1, in -> Value.of(path(in).toString()));
        all.add("pathexpand", "path", 1, 1, in -> Value.of(expanded(in)));
        all.add("timestamp", "", 0, 0, _ -> timestamp(runtime));
        all.add("uuidv4", "", 0, 0, _ -> Value.of(runtime.ids().next()));
        all.add("uuidv5", "namespace, name", 2, 2, in -> Value.of(named(in).toString()));
    }

    private static Value timestamp(RuntimeValues runtime) {
        return Value.of(DateTimeFormatter.ISO_INSTANT.format(
                runtime.time().now().atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS)));
    }

    /** The id that a name has in a name space: the same wherever it is made (RFC 9562, 5.5). */
    private static UUID named(Arguments in) throws Misuse {
        String given = in.text(0);
        UUID space;
        try {
            space = UUID.fromString(NAME_SPACES.getOrDefault(given, given));
        } catch (IllegalArgumentException e) {
            throw new Misuse("The name space \"" + given + "\" is unknown; use dns, url, oid, x500 or a UUID.");
        }
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java has SHA-1", e);
        }
        digest.update(ByteBuffer.allocate(16)
                .putLong(space.getMostSignificantBits())
                .putLong(space.getLeastSignificantBits())
                .array());
        ByteBuffer hash = ByteBuffer.wrap(digest.digest(in.text(1).getBytes(UTF_8)));
        long most = (hash.getLong() & ~0xF000L) | 0x5000L;
        long least = (hash.getLong() & ~(0b11L << 62)) | (0b10L << 62);
        return new UUID(most, least);
    }

    /** A path that begins with {@code ~} is below the home directory of whoever reads the file. */
    private static String expanded(Arguments in) throws Misuse {
        String path = in.text(0);
        if (!path.startsWith("~")) {
            return path;
        }
        folder(in);
        if (path.length() > 1 && path.charAt(1) != '/') {
            throw new Misuse("Only \"~\" and \"~/...\" can be expanded, not another user's home.");
        }
        return System.getProperty("user.home") + path.substring(1);
    }

    private static Path folder(Arguments in) throws Misuse {
        return in.source()
                .folder()
                .orElseThrow(() -> new Misuse(
                        "Files can only be named in a file that is read from disk, not in a text that was sent."));
    }

    private static Path path(Arguments in) throws Misuse {
        Path folder = folder(in);
        try {
            return folder.resolve(in.text(0)).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new Misuse("The path cannot be read: " + e.getReason() + ".");
        }
    }

    private static Value file(Arguments in) throws Misuse {
        Path path = path(in);
        try {
            return Value.of(Source.readText(path));
        } catch (IOException e) {
            String reason = e instanceof java.nio.file.NoSuchFileException ? "there is no such file" : e.getMessage();
            throw new Misuse("Cannot read " + path + ": " + reason + ".");
        }
    }
}
