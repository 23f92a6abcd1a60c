package io.cleat.agent;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Ordered;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.codec.RecordCodec;
import io.cleat.kernel.DurableFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What jobs may ask for of the node as {@code ${meta.key}}: what it was started with, and over that what operators have
 * said since, which is kept in a file. Any thread.
 */
public final class NodeMeta implements Supplier<Map<String, String>> {
    static final RecordCodec<Stored> FORMAT = RecordCodec.stored("nmet", 1, Stored.class);

    private static final int MOST_KEYS = 256;
    private static final int LONGEST_VALUE = 4_096;

    /** It is a part of what the server logs of the node, which one entry has to hold. */
    private static final int MOST_CHARS = 32_768;

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");

    /**
     * As in the file.
     *
     * @param unset of what it was started with
     */
    record Stored(Map<String, String> said, List<String> unset) {
        Stored {
            said = Ordered.copyOf(said);
            unset = List.copyOf(unset);
        }
    }

    private final Path file;
    private final Map<String, String> started;
    private final Runnable changed;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Stored stored;

    private NodeMeta(Path file, Map<String, String> started, Runnable changed, Stored stored) {
        this.file = file;
        this.started = Ordered.copyOf(started);
        this.changed = changed;
        this.stored = stored;
    }

    /**
     * With what {@code file} holds; nothing yet if it is not there.
     *
     * @param started what the node was started with
     * @param changed is run after each change
     */
    public static NodeMeta at(Path file, Map<String, String> started, Runnable changed) throws DiskTrouble {
        Stored stored = Files.notExists(file)
                ? new Stored(Map.of(), List.of())
                : FORMAT.decodeFile(
                        file,
                        "It has what operators said of the node with \"cleat node meta"
                                + " apply\": put it back from a copy, or remove it, and say"
                                + " that again");
        return new NodeMeta(file, started, changed, stored);
    }

    /** All that counts now. */
    @Override
    public Map<String, String> get() {
        Stored now = stored;
        Map<String, String> all = new HashMap<>(started);
        now.unset().forEach(all::remove);
        all.putAll(now.said());
        return Ordered.copyOf(all);
    }

    /** What the node was started with. */
    public Map<String, String> started() {
        return started;
    }

    /** What operators have said since; null for what they took away of the others. */
    public Map<String, @Nullable String> said() {
        Stored now = stored;
        Map<String, @Nullable String> all = new TreeMap<>(now.said());
        now.unset().forEach(key -> all.put(key, null));
        return all;
    }

    /**
     * Says more, durably on return.
     *
     * @param more by key; null takes a key away
     * @throws Refused a key or a value is none, or there are too many; nothing is changed then
     */
    public void change(Map<String, @Nullable String> more) throws Refused, DiskTrouble {
        List<String> faults = new ArrayList<>();
        more.forEach((key, value) -> check(key, value, faults));
        lock.lock();
        try {
            Map<String, @Nullable String> all = new TreeMap<>(said());
            all.putAll(more);
            Map<String, String> said = new TreeMap<>();
            List<String> unset = new ArrayList<>();
            all.forEach((key, value) -> {
                if (value != null) {
                    said.put(key, value);
                } else if (started.containsKey(key)) {
                    unset.add(key);
                }
            });
            if (said.size() > MOST_KEYS) {
                faults.add("%,d keys; at most %d are kept".formatted(said.size(), MOST_KEYS));
            }
            int chars = said.entrySet().stream()
                    .mapToInt(each -> each.getKey().length() + each.getValue().length())
                    .sum();
            if (chars > MOST_CHARS) {
                faults.add("keys and values of %,d characters; at most %,d are kept".formatted(chars, MOST_CHARS));
            }
            if (!faults.isEmpty()) {
                throw new Refused(new Refusal.Invalid(faults));
            }
            Stored next = new Stored(said, unset);
            DurableFiles.write(file, FORMAT.encodeForFile(next));
            stored = next;
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    private static void check(String key, @Nullable String value, List<String> faults) {
        if (!KEY.matcher(key).matches()) {
            faults.add("metadata key %s: expected up to 128 letters, digits, \"_\", \"-\" and \".\""
                    .formatted(TextRule.quoted(key)));
        }
        if (value != null && value.length() > LONGEST_VALUE) {
            faults.add("the value of metadata key %s has %,d characters; at most %,d are kept"
                    .formatted(TextRule.quoted(key), value.length(), LONGEST_VALUE));
        }
        if (value != null && value.chars().anyMatch(Character::isISOControl)) {
            faults.add("the value of metadata key %s has control characters, and is one line"
                    .formatted(TextRule.quoted(key)));
        }
    }
}
