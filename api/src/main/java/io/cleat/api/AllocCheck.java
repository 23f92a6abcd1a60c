package io.cleat.api;

/**
 * How a check of an allocation's service is.
 *
 * @param Group the allocation's name
 * @param Mode {@code healthiness}, or {@code readiness} where no deployment waits for it
 * @param Status {@code pending}, {@code success}, {@code warning} or {@code failure}
 * @param StatusCode of the answer of HTTP, or the exit code of a script; 0 for none
 * @param Task {@code (group)} for a service of the group
 * @param Timestamp seconds since 1970
 */
public record AllocCheck(
        String Check,
        String Group,
        String ID,
        String Mode,
        String Output,
        String Service,
        String Status,
        @OmitEmpty int StatusCode,
        String Task,
        long Timestamp) {}
