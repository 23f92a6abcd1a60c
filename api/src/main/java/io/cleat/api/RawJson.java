package io.cleat.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import tools.jackson.databind.JsonNode;

/**
 * A part of a document that is kept as it was given: a driver's configuration, or a block this version does not read,
 * which is thus never lost silently.
 */
public record RawJson(@JsonValue JsonNode value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public RawJson {}

    /** Whether this says nothing: null, or an empty list or object. */
    public boolean isEmpty() {
        return value.isNull() || (value.isContainer() && value.isEmpty());
    }
}
