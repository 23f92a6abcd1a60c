package io.cleat.cli;

import io.cleat.base.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A parsed command line: flags in any place up to {@code --}, one dash or two, {@code -name=value} or {@code -name
 * value}, and what is left over.
 */
public final class Flags {
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final List<String> rest = new ArrayList<>();
    private boolean helpWanted;

    private Flags() {}

    /**
     * Reads {@code args}.
     *
     * @throws Failure for a flag that is not among {@code known}, lacks its value, or has one that is not wanted
     */
    static Flags parse(List<String> args, List<Flag> known) throws Failure {
        return parse(args, known, Integer.MAX_VALUE);
    }

    /**
     * Reads {@code args}, of which what comes behind {@code own} arguments is somebody else's command line and kept as
     * it is.
     */
    static Flags parse(List<String> args, List<Flag> known, int own) throws Failure {
        Flags flags = new Flags();
        for (int i = 0; i < args.size(); i++) {
            String arg = args.get(i);
            if (flags.rest.size() >= own && !arg.equals("--")) {
                flags.rest.addAll(args.subList(i, args.size()));
                break;
            }
            if (arg.equals("--")) {
                flags.rest.addAll(args.subList(i + 1, args.size()));
                break;
            }
            if (arg.length() < 2 || arg.charAt(0) != '-') {
                flags.rest.add(arg);
                continue;
            }
            String name = arg.substring(arg.startsWith("--") ? 2 : 1);
            @Nullable String value = null;
            int equals = name.indexOf('=');
            if (equals >= 0) {
                value = name.substring(equals + 1);
                name = name.substring(0, equals);
            }
            if (name.equals("h") || name.equals("help")) {
                flags.helpWanted = true;
                continue;
            }
            Flag flag = find(name, known);
            if (value == null && (flag.kind() == Flag.Kind.VALUE || flag.kind() == Flag.Kind.REPEATED)) {
                if (++i == args.size()) {
                    throw new Failure("flag -%s needs a value: -%s=<%s>".formatted(name, name, flag.placeholder()));
                }
                value = args.get(i);
            }
            flags.add(flag, value);
        }
        return flags;
    }

    private static Flag find(String name, List<Flag> known) throws Failure {
        for (Flag flag : known) {
            if (flag.name().equals(name)) {
                return flag;
            }
        }
        throw new Failure(
                "no flag -" + name + " here",
                Nearest.to(name, known.stream().map(Flag::name).toList())
                        .map(near -> "did you mean -" + near + "?")
                        .orElse(null));
    }

    private void add(Flag flag, @Nullable String given) throws Failure {
        switch (flag.kind()) {
            case SWITCH -> {
                String value = given == null ? "true" : given;
                if (!value.equals("true") && !value.equals("false")) {
                    throw new Failure(
                            "flag -%s is a switch: expected true or false, got \"%s\"".formatted(flag.name(), value));
                }
                values.put(flag.name(), List.of(value));
            }
            case VALUE, OPTIONAL -> values.put(flag.name(), List.of(given == null ? "" : given));
            case REPEATED ->
                values.computeIfAbsent(flag.name(), name -> new ArrayList<>()).add(given == null ? "" : given);
        }
    }

    /** Whether {@code -h} or {@code -help} was among them. */
    public boolean isHelpWanted() {
        return helpWanted;
    }

    /** Whether the switch was given and is not {@code =false}. */
    boolean has(Flag flag) {
        return has(flag.name());
    }

    /** As {@link #has(Flag)}, by name. */
    public boolean has(String name) {
        return value(name).filter(value -> value.equals("true")).isPresent();
    }

    /** The flag's last value. */
    public Optional<String> value(String name) {
        List<String> given = values.get(name);
        return given == null ? Optional.empty() : Optional.of(given.getLast());
    }

    /** The flag's last value as a number from {@code least} to {@code most}, or else the usual one. */
    public int number(String name, int least, int most, int usual) throws Failure {
        Optional<String> given = value(name);
        if (given.isEmpty()) {
            return usual;
        }
        try {
            int number = Integer.parseInt(given.get());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException none) {
            // Said below.
        }
        throw new Failure(
                "-%s=%s is no number from %d to %d".formatted(name, given.get(), least, most),
                "expected one such as " + usual);
    }

    /** The flag's last value as a number from 0 to {@code most}; 0 without one. */
    long number(String name, long most) throws Failure {
        String given = value(name).orElse("0");
        try {
            long number = Long.parseLong(given);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // Said below.
        }
        throw new Failure("flag -%s takes a number from 0 to %d, got \"%s\"".formatted(name, most, given));
    }

    /** The flag's last value as a length of time, which is more than none. */
    public Optional<Duration> duration(String name) throws Failure {
        return duration(name, "30s, 2m or 1h30m");
    }

    /**
     * As {@link #duration(String)}.
     *
     * @param example of what is expected, for who gave something else
     */
    Optional<Duration> duration(String name, String example) throws Failure {
        Optional<String> given = value(name);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        long nanos = Durations.parse(given.get()).orElse(0);
        if (nanos <= 0) {
            throw new Failure(
                    "-%s=%s is no length of time above 0".formatted(name, given.get()),
                    "expected one such as " + example);
        }
        return Optional.of(Duration.ofNanos(nanos));
    }

    /** Every value of a repeated flag, in order. */
    public List<String> values(String name) {
        return List.copyOf(values.getOrDefault(name, List.of()));
    }

    /** Every value of a repeated flag as {@code key=value}, in order; the last of a key counts. */
    public Map<String, String> pairs(String name) throws Failure {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String given : values(name)) {
            int equals = given.indexOf('=');
            if (equals < 1) {
                // The value may be a secret: it is not repeated.
                throw new Failure("flag -%s takes key=value".formatted(name));
            }
            pairs.put(given.substring(0, equals), given.substring(equals + 1));
        }
        return pairs;
    }

    /** What is not a flag, in order. */
    public List<String> rest() {
        return List.copyOf(rest);
    }
}
