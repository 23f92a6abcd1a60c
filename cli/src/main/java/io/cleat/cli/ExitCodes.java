package io.cleat.cli;

import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Trouble;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** The boundary where whatever stopped a command becomes text on the error writer and a code. */
final class ExitCodes {
    /** Placements failed: {@code job run} did what it could. */
    static final int NOT_PLACED = 2;

    /** {@code job plan} found changes. */
    static final int CHANGES = 1;

    /** {@code job plan} failed, since 1 says that there are changes. */
    static final int PLAN_FAILED = 255;

    private ExitCodes() {}

    /** What to do about an answer that says what stands in the way. */
    private static String next(UnexpectedAnswer answer) {
        String inUse = "volume in use: ";
        return answer.body().startsWith(inUse)
                ? "  by whom: cleat volume why " + answer.body().substring(inUse.length()) + "\n"
                : "";
    }

    /** Says what went wrong and what to do next; answers the code. */
    static int report(Verb verb, Exception stopped, PrintWriter err) {
        return report(verb.errorCode(), stopped, err);
    }

    static int report(int code, Exception stopped, PrintWriter err) {
        switch (stopped) {
            case Failure failure -> {
                err.print("Error: " + failure.reason() + "\n");
                if (failure.next() != null) {
                    err.print("  " + failure.next() + "\n");
                }
            }
            case UnexpectedAnswer answer ->
                    err.print("Error: " + answer.getMessage() + "\n" + next(answer));
            case Trouble trouble -> err.print("Error: " + trouble.reason() + "\n");
            case NoSuchFileException absent ->
                    err.print("Error: there is no file " + absent.getFile() + "\n");
            case AccessDeniedException denied ->
                    err.print("Error: " + denied.getFile() + " may not be read or written\n");
            case InterruptedException interrupted -> {
                Thread.currentThread().interrupt();
                err.print("Error: interrupted\n");
            }
            default -> err.print("Error: " + stopped + "\n");
        }
        return code;
    }
}
