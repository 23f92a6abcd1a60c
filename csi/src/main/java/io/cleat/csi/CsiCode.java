package io.cleat.csi;

/** The gRPC codes, by the names that people meet in error texts of storage plugins. */
public enum CsiCode {
    OK("OK"),
    CANCELLED("Canceled"),
    UNKNOWN("Unknown"),
    INVALID_ARGUMENT("InvalidArgument"),
    DEADLINE_EXCEEDED("DeadlineExceeded"),
    NOT_FOUND("NotFound"),
    ALREADY_EXISTS("AlreadyExists"),
    PERMISSION_DENIED("PermissionDenied"),
    RESOURCE_EXHAUSTED("ResourceExhausted"),
    FAILED_PRECONDITION("FailedPrecondition"),
    ABORTED("Aborted"),
    OUT_OF_RANGE("OutOfRange"),
    UNIMPLEMENTED("Unimplemented"),
    INTERNAL("Internal"),
    UNAVAILABLE("Unavailable"),
    DATA_LOSS("DataLoss"),
    UNAUTHENTICATED("Unauthenticated");

    private final String text;

    CsiCode(String text) {
        this.text = text;
    }

    /** The name as it stands in {@code rpc error: code = NotFound desc = ...}. */
    public String text() {
        return text;
    }

    /**
     * Whether a plugin that answers this surely did nothing. All others leave it open: a plugin may have begun, or may
     * still be at it.
     */
    public boolean isFinal() {
        return switch (this) {
            case INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    UNIMPLEMENTED,
                    UNAUTHENTICATED -> true;
            case OK,
                    CANCELLED,
                    UNKNOWN,
                    DEADLINE_EXCEEDED,
                    RESOURCE_EXHAUSTED,
                    ABORTED,
                    INTERNAL,
                    UNAVAILABLE,
                    DATA_LOSS -> false;
        };
    }
}
