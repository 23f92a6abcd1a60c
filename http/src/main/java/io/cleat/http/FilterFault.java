package io.cleat.http;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;

/**
 * A filter is refused in the middle of a list: it has used up its work, or asks for a field that its objects do not
 * have. It is unchecked because a list is walked by views and streams that know nothing of filters; {@link Dispatcher}
 * and {@link JettyBridge} answer with its refusal.
 */
final class FilterFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Refusal refusal;

    FilterFault(String words) {
        this(new Refusal.Malformed("filter: " + words));
    }

    private FilterFault(Refusal refusal) {
        super(new Refused(refusal));
        this.refusal = refusal;
    }

    Refusal refusal() {
        return refusal;
    }
}
