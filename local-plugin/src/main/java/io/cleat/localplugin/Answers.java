package io.cleat.localplugin;

import io.cleat.base.FaultHandler;
import io.cleat.base.Trouble;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

/** The boundary: what a call's body ends with, as the status its caller gets. */
final class Answers {
    private final FaultHandler faults;

    Answers(FaultHandler faults) {
        this.faults = faults;
    }

    /** The body of a call. */
    @FunctionalInterface
    interface Body<T> {
        T run() throws CallRefused, Trouble, InterruptedException;
    }

    /** Runs {@code body} and answers with what it returns or throws. */
    <T> void answer(String method, StreamObserver<T> caller, Body<T> body) {
        T reply;
        try {
            reply = body.run();
        } catch (CallRefused refused) {
            caller.onError(status(refused).asRuntimeException());
            return;
        } catch (Trouble trouble) {
            caller.onError(status(trouble).asRuntimeException());
            return;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            caller.onError(Status.UNAVAILABLE
                    .withDescription("the plugin stops; repeat the call")
                    .asRuntimeException());
            return;
        } catch (RuntimeException | Error fault) {
            faults.contain(method, fault);
            caller.onError(Status.INTERNAL
                    .withDescription("a fault of the plugin itself; its output says more")
                    .asRuntimeException());
            return;
        }
        caller.onNext(reply);
        caller.onCompleted();
    }

    static Status status(CallRefused refused) {
        return refused.code().toStatus().withDescription(refused.sentence());
    }

    /**
     * A full disk has a code of its own, since the same call works once there is room; so has a size that no file of
     * the pool can have, which never works.
     */
    static Status status(Trouble trouble) {
        if (trouble instanceof RecordDamaged) {
            // Nothing was done, and the same call works once a person has put the file right.
            return Status.FAILED_PRECONDITION.withDescription(trouble.reason());
        }
        for (Throwable cause = trouble; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (message.contains("File too large") || message.contains("EFBIG")) {
                return Status.OUT_OF_RANGE.withDescription(
                        "the file system of the pool has no files of that size: " + trouble.reason());
            }
            if (message.contains("No space left") || message.contains("ENOSPC")) {
                return Status.RESOURCE_EXHAUSTED.withDescription("the pool's disk is full: " + trouble.reason());
            }
        }
        return Status.INTERNAL.withDescription(trouble.reason());
    }
}
