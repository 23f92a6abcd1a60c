package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to an object.
 *
 * @param FilterKeys other names that it is found under
 * @param Index the version of the decision that did it
 * @param Key the object's id
 * @param Namespace empty for what belongs to none
 * @param Payload the object as it was then, under the name of its kind, without secrets
 * @param Type the kind of decision, such as {@code JobRegistered}
 */
public record Event(
        @Nullable List<String> FilterKeys,
        long Index,
        String Key,
        String Namespace,
        Map<String, Object> Payload,
        String Topic,
        String Type) {}
