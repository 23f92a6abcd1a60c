package io.cleat.base;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Named secrets, in the order of their names. Prints the names, never the values. */
public final class Secrets {
    private static final Secrets NONE = new Secrets(new TreeMap<>());

    private final Map<String, Secret> byName;

    private Secrets(Map<String, Secret> byName) {
        this.byName = Collections.unmodifiableMap(byName);
    }

    public static Secrets none() {
        return NONE;
    }

    public static Secrets of(Map<String, String> plain) {
        TreeMap<String, Secret> secrets = new TreeMap<>();
        plain.forEach((name, value) -> secrets.put(name, new Secret(value)));
        return secrets.isEmpty() ? NONE : new Secrets(secrets);
    }

    public boolean isEmpty() {
        return byName.isEmpty();
    }

    public Map<String, Secret> byName() {
        return byName;
    }

    /** The values themselves; see {@link Secret#reveal()}. */
    public Map<String, String> reveal() {
        Map<String, String> plain = new LinkedHashMap<>();
        byName.forEach((name, secret) -> plain.put(name, secret.reveal()));
        return plain;
    }

    /** These secrets with {@code over} laid on top: a name in both takes the value of {@code over}. */
    public Secrets overlaidBy(Secrets over) {
        TreeMap<String, Secret> merged = new TreeMap<>(byName);
        merged.putAll(over.byName);
        return new Secrets(merged);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secrets secrets && byName.equals(secrets.byName);
    }

    @Override
    public int hashCode() {
        return byName.hashCode();
    }

    @Override
    public String toString() {
        return byName.toString();
    }
}
