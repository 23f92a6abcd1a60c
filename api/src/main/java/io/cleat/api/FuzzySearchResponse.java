package io.cleat.api;

import java.util.List;
import java.util.Map;

/**
 * Names with the text in them, by what they are names of, the closest first.
 *
 * @param Truncations by context, whether more were left out
 */
public record FuzzySearchResponse(
        long Index,
        boolean KnownLeader,
        long LastContact,
        Map<String, List<Match>> Matches,
        String NextToken,
        Map<String, Boolean> Truncations) {
    /**
     * One of them.
     *
     * @param ID the name, or an id
     * @param Scope by which it is asked for, from the outside to the inside, such as namespace and job of a group;
     *     absent where the id is enough
     */
    public record Match(String ID, @OmitEmpty List<String> Scope) {}
}
