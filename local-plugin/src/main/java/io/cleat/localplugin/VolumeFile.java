package io.cleat.localplugin;

import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The file that describes a volume, as {@link Facts}. Every version ever written is read for ever
 * (src/test/resources/history).
 */
final class VolumeFile implements PoolDirectory.Form<Volume> {
    private static final String KIND = "volume";
    private static final int VERSION = 1;

    @Override
    public String name() {
        return KIND;
    }

    @Override
    public byte[] write(Volume volume) {
        Facts facts = new Facts(KIND, VERSION)
                .add("id", volume.id())
                .add("name", volume.name())
                .add("type", volume.type().word())
                .add("order", Long.toString(volume.order()))
                .add("bytes", Long.toString(volume.bytes()));
        volume.source().ifPresent(s -> facts.add("source", word(s.kind()), s.id()));
        if (volume.shape().growing()) {
            facts.add("growing");
        }
        volume.shape().frozen().ifPresent(f -> facts.add("frozen", f.node(), f.path()));
        volume.shape().settings().forEach((key, value) -> facts.add("setting", key, value));
        for (Uses.Attachment a : volume.uses().attachments()) {
            facts.add("attachment", a.node(), a.mode().name(), access(a.readOnly()));
        }
        for (Uses.Staging s : volume.uses().stagings()) {
            List<String> words = new ArrayList<>(List.of(s.node(), s.path()));
            words.addAll(s.flags());
            facts.add("staging", words.toArray(new String[0]));
        }
        for (Uses.Publication p : volume.uses().publications()) {
            facts.add("publication", p.node(), p.path(), p.mode().name(), access(p.readOnly()));
        }
        return facts.bytes();
    }

    @Override
    public Volume read(byte[] bytes, String where) throws RecordDamaged {
        Reading reading = new Reading();
        for (List<String> words : new Facts(KIND, VERSION).read(bytes, where).all()) {
            try {
                reading.take(words);
            } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
                throw Facts.unreadable(where + " has an unreadable line: " + words);
            }
        }
        return reading.volume(where);
    }

    /** What the lines said so far. */
    private static final class Reading {
        private String id = "";
        private String name = "";
        private Optional<VolumeType> type = Optional.empty();
        private long bytes;
        private long order;
        private Optional<Volume.Source> source = Optional.empty();
        private boolean growing;
        private Optional<Volume.Frozen> frozen = Optional.empty();
        private final SortedMap<String, String> settings = new TreeMap<>();
        private Uses uses = Uses.NONE;

        void take(List<String> words) {
            switch (words.getFirst()) {
                case "id" -> id = words.get(1);
                case "name" -> name = words.get(1);
                case "type" -> type = VolumeType.of(words.get(1));
                case "bytes" -> bytes = Long.parseLong(words.get(1));
                case "order" -> order = Long.parseLong(words.get(1));
                case "source" ->
                    source = Optional.of(new Volume.Source(
                            Volume.Source.Kind.valueOf(words.get(1).toUpperCase(Locale.ROOT)), words.get(2)));
                case "growing" -> growing = true;
                case "frozen" -> frozen = Optional.of(new Volume.Frozen(words.get(1), words.get(2)));
                case "setting" -> settings.put(words.get(1), words.get(2));
                case "attachment" ->
                    uses = uses.attached(
                            new Uses.Attachment(words.get(1), Mode.valueOf(words.get(2)), isReadOnly(words.get(3))));
                case "staging" ->
                    uses = uses.staged(new Uses.Staging(words.get(1), words.get(2), words.subList(3, words.size())));
                case "publication" ->
                    uses = uses.published(new Uses.Publication(
                            words.get(1), words.get(2), Mode.valueOf(words.get(3)), isReadOnly(words.get(4))));
                default -> throw new IllegalArgumentException(words.getFirst());
            }
        }

        Volume volume(String where) throws RecordDamaged {
            if (id.isEmpty() || name.isEmpty() || type.isEmpty()) {
                throw Facts.unreadable(where + " names no id, no name or no known type");
            }
            return new Volume(
                    id, name, type.get(), order, source, new Volume.Shape(bytes, growing, settings, frozen), uses);
        }
    }

    private static String word(Volume.Source.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static String access(boolean readOnly) {
        return readOnly ? "ro" : "rw";
    }

    private static boolean isReadOnly(String access) {
        return switch (access) {
            case "ro" -> true;
            case "rw" -> false;
            default -> throw new IllegalArgumentException(access);
        };
    }
}
