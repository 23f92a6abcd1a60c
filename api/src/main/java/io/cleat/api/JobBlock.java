package io.cleat.api;

import io.cleat.api.JobField.Kind;
import io.cleat.api.RecordMap.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A block of a job, a line a field. How it is read from a file, filled in, taken into the model and shown again follows
 * from its lines. Those of a job begin at {@link JobBlocks#JOB}.
 *
 * <p>A table that does not fit its records is found when its class is loaded: each component of both has its line.
 *
 * @param <W> the record of the wire
 * @param <M> the record of the model
 */
public final class JobBlock<W extends Record, M extends Record> {
    private final String name;
    private final Class<W> wireType;
    private final Class<M> modelType;
    private final Components<W> wire;
    private final List<JobField> fields;
    private final List<FieldDefault> defaults;
    private final Set<String> later;
    private final UnaryOperator<W> rest;
    private final RecordMap<W, M> toModel;
    private final RecordMap<M, W> toWire;

    private JobBlock(Lines<W, M> lines) {
        name = lines.name;
        wireType = lines.wire;
        modelType = lines.model;
        wire = Components.of(wireType);
        Components<M> model = Components.of(modelType);
        fields = List.copyOf(lines.fields);
        later = lines.later;
        rest = lines.rest;
        Map<String, Source<W>> modelParts = new HashMap<>();
        Map<String, Source<M>> wireParts = new HashMap<>();
        for (JobField field : fields) {
            Component onWire = wire.component(field.json());
            if (field.model().isEmpty()) {
                wireParts.put(field.json(), (_, _) -> onWire.nothing());
            } else {
                FieldCodec codec = new FieldCodec(field, model.component(field.model()), onWire);
                int given = wire.place(field.json());
                int kept = model.place(field.model());
                modelParts.put(field.model(), (_, parts) -> codec.toModel(parts[given]));
                wireParts.put(field.json(), (_, parts) -> codec.toWire(parts[kept]));
            }
        }
        defaults = fields.stream()
                .map(field -> fieldDefault(field, model))
                .filter(FieldDefault::saysSomething)
                .toList();
        lines.taken.forEach((component, from) -> modelParts.put(component, (whole, _) -> from.apply(whole)));
        lines.shown.forEach((field, from) -> wireParts.put(field, (whole, _) -> from.apply(whole)));
        toModel = new RecordMap<>(wire, model, modelParts);
        toWire = new RecordMap<>(model, wire, wireParts);
    }

    private FieldDefault fieldDefault(JobField field, Components<M> model) {
        boolean isAlwaysThere = field.kind() == Kind.BLOCK
                && !field.model().isEmpty()
                && !model.component(field.model()).isNullable();
        return new FieldDefault(field, wire.component(field.json()), wire.place(field.json()), isAlwaysThere);
    }

    /**
     * Begins a block.
     *
     * @param name in job files
     */
    static <W extends Record, M extends Record> Lines<W, M> of(String name, Class<W> wire, Class<M> model) {
        return new Lines<>(name, wire, model);
    }

    /** A block that is being described. */
    static final class Lines<W extends Record, M extends Record> {
        private final String name;
        private final Class<W> wire;
        private final Class<M> model;
        private final List<JobField> fields = new ArrayList<>();
        private final Set<String> later = new LinkedHashSet<>();
        private final Map<String, Function<W, @Nullable Object>> taken = new HashMap<>();
        private final Map<String, Function<M, @Nullable Object>> shown = new HashMap<>();
        private UnaryOperator<W> rest = UnaryOperator.identity();

        private Lines(String name, Class<W> wire, Class<M> model) {
            this.name = name;
            this.wire = wire;
            this.model = model;
        }

        /** In the order in which messages name them. */
        Lines<W, M> fields(JobField... lines) {
            fields.addAll(List.of(lines));
            return this;
        }

        /** Names that the language has and this version does not. */
        Lines<W, M> later(String... names) {
            later.addAll(List.of(names));
            return this;
        }

        /** A component of the model that comes from several fields. */
        Lines<W, M> taken(String component, Function<W, @Nullable Object> from) {
            taken.put(component, from);
            return this;
        }

        /** A field that is shown by several components of the model. */
        Lines<W, M> shown(String field, Function<M, @Nullable Object> from) {
            shown.put(field, from);
            return this;
        }

        /** What is filled in by other fields, after what is usual. */
        Lines<W, M> filledIn(UnaryOperator<W> more) {
            rest = more;
            return this;
        }

        JobBlock<W, M> done() {
            return new JobBlock<>(this);
        }
    }

    /** What job files call it. */
    public String name() {
        return name;
    }

    public List<JobField> fields() {
        return fields;
    }

    /** Names that the language has in this block and this version does not. */
    public Set<String> later() {
        return later;
    }

    /** What is usual where nothing is given. */
    W usual() {
        return filledIn(wire.make(wire.nothing()));
    }

    /** Likewise in jobs that end. */
    W usualOfBatch() {
        return filledIn(wire.make(wire.nothing()), true);
    }

    /** With what is usual in each field that gives nothing. */
    W filledIn(W given) {
        return filledIn(given, false);
    }

    private W filledIn(W given, boolean ofBatch) {
        @Nullable Object[] values = wire.values(given);
        for (FieldDefault each : defaults) {
            values[each.place()] = each.filledIn(values[each.place()], ofBatch);
        }
        return rest.apply(wire.make(values));
    }

    /** As {@link #filledIn(Record)}. */
    Object filledInAs(Object given) {
        return filledIn(wireType.cast(given));
    }

    /** Adds what is wrong with each field by itself. */
    void check(W given, Faults faults) {
        for (JobField field : fields) {
            Object value = wire.component(field.json()).value(given);
            field.limits().forEach(limit -> limit.check(value, faults));
        }
    }

    /**
     * What the model has of it.
     *
     * @param given without faults
     */
    M toModel(W given) {
        return toModel.apply(given);
    }

    List<M> toModel(@Nullable List<W> given) {
        return given == null ? List.of() : given.stream().map(this::toModel).toList();
    }

    /** As an answer shows it; what is usual is not filled in. */
    public W toWire(M given) {
        return toWire.apply(given);
    }

    /** As {@link #toModel(Record)}. */
    Object modelOf(Object given) {
        return toModel(wireType.cast(given));
    }

    /** As {@link #toWire}. */
    Object wireOf(Object given) {
        return toWire(modelType.cast(given));
    }
}
