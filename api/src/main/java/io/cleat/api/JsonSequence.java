package io.cleat.api;

import io.cleat.base.Refused;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.MappingIterator;

/** JSON values read from a stream as they come. Owned by the thread that reads. */
public final class JsonSequence<T> implements AutoCloseable {
    private final MappingIterator<T> values;

    JsonSequence(MappingIterator<T> values) {
        this.values = values;
    }

    /**
     * The next value; blocks until there is one. Empty at the end of the stream.
     *
     * @throws Refused what came is not such a value
     */
    public Optional<T> next() throws Refused {
        try {
            return values.hasNextValue() ? Optional.of(values.nextValue()) : Optional.empty();
        } catch (JacksonException unreadable) {
            throw Json.refused(unreadable);
        }
    }

    @Override
    public void close() {
        values.close();
    }
}
