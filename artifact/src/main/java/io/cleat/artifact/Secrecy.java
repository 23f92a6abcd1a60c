package io.cleat.artifact;

import io.cleat.model.ArtifactSource;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes out of words what an artifact was given in confidence, whoever put it there. */
final class Secrecy {
    /** Up to the last sign before the path: a password may hold one, too. */
    private static final Pattern USER = Pattern.compile("://([^/?\\s]*)@");

    /** Shorter values would black out half of all words. */
    private static final int SHORTEST = 4;

    private static final int SHORTEST_TOKEN = 12;

    private final List<String> secrets = new ArrayList<>();

    Secrecy(Artifact artifact) {
        Matcher user = USER.matcher(artifact.source());
        while (user.find()) {
            String[] parts = user.group(1).split(":", 2);
            // A token may stand where the name of a user is expected; such a name is short.
            if (parts[0].length() >= SHORTEST_TOKEN) {
                addCredential(parts[0]);
            }
            addCredential(parts.length > 1 ? parts[1] : "");
        }
        addValues(artifact.source());
        artifact.headers().values().forEach(this::add);
        artifact.options().forEach((name, option) -> {
            if (!isHarmless(name)) {
                add(option);
            }
        });
        // One may be a part of another.
        secrets.sort(Comparator.comparingInt(String::length).reversed());
    }

    /**
     * The values of a query, wherever it begins, in one pass: a name may hold {@code ?}, so that a search from each of
     * them would be quadratic.
     */
    private void addValues(String source) {
        int start = next(source, "?&", 0);
        while (start < source.length()) {
            int equals = next(source, "=&", start + 1);
            int end = equals;
            if (source.startsWith("=", equals)) {
                end = next(source, "&", equals);
                if (!isHarmless(source.substring(start + 1, equals))) {
                    add(source.substring(equals + 1, end));
                }
            }
            start = end;
        }
    }

    /** Where the first of {@code signs} is, or the end. */
    private static int next(String source, String signs, int from) {
        int at = from;
        while (at < source.length() && signs.indexOf(source.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /** What an option says that is not a key. */
    private static boolean isHarmless(String name) {
        return ArtifactSource.OPTIONS.contains(name) && !name.equals("sshkey");
    }

    /** As the URL has it, and as who reads the URL tells it. */
    private void addCredential(String secret) {
        add(secret);
        try {
            add(URLDecoder.decode(secret.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException asItIs) {
            // Nobody reads it otherwise.
        }
    }

    private void add(String secret) {
        if (secret.length() >= SHORTEST) {
            secrets.add(secret);
        }
    }

    String clean(String words) {
        String clean = words;
        for (String secret : secrets) {
            clean = clean.replace(secret, "***");
        }
        return USER.matcher(clean).replaceAll("://");
    }
}
