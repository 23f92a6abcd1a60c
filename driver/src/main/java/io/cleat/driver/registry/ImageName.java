package io.cleat.driver.registry;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an image, as engines and registries take it.
 *
 * @param repository with the registry in front, if there is one
 * @param tag empty where a digest says which one
 * @param digest such as {@code sha256:...}; empty for none
 */
public record ImageName(String repository, String tag, String digest) {
    /** The registry of names that name none. */
    public static final String USUAL_REGISTRY = "docker.io";

    private static final String LATEST = "latest";
    private static final Pattern FORM = Pattern.compile("([a-zA-Z0-9][a-zA-Z0-9_./-]*(?::\\d{1,5}/[a-zA-Z0-9_./-]+)?)"
            + "(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?"
            + "(?:@([a-z0-9]+:[0-9a-f]{32,128}))?");

    private static final int LONGEST = 500;

    /** Reads a name; empty if it is none. */
    public static Optional<ImageName> of(String text) {
        Matcher form = FORM.matcher(text);
        if (text.length() > LONGEST || !form.matches()) {
            return Optional.empty();
        }
        String digest = form.group(3) == null ? "" : form.group(3);
        String tag = form.group(2) == null ? "" : form.group(2);
        return Optional.of(new ImageName(form.group(1), tag.isEmpty() && digest.isEmpty() ? LATEST : tag, digest));
    }

    /** Where it comes from. */
    public String registry() {
        int slash = repository.indexOf('/');
        String first = slash < 0 ? "" : repository.substring(0, slash);
        boolean isOne = first.contains(".") || first.contains(":") || first.equals("localhost");
        return isOne ? first : USUAL_REGISTRY;
    }

    /** Its name in that registry. */
    public String path() {
        int slash = repository.indexOf('/');
        boolean hasRegistry = slash >= 0 && repository.substring(0, slash).equals(registry());
        String path = hasRegistry ? repository.substring(slash + 1) : repository;
        return registry().equals(USUAL_REGISTRY) && path.indexOf('/') < 0 ? "library/" + path : path;
    }

    /** Whether another image may have the name tomorrow, by custom. */
    public boolean moves() {
        return digest.isEmpty() && tag.equals(LATEST);
    }

    /** What the engine is to pull: a tag, or a digest. */
    public String pulled() {
        return digest.isEmpty() ? tag : digest;
    }

    @Override
    public String toString() {
        return repository + (digest.isEmpty() ? ":" + tag : "@" + digest);
    }
}
