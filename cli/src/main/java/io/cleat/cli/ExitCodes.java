package io.cleat.cli;

import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
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
        if (answer.status() == 403 && answer.body().strip().equals("Permission denied")) {
            return "  the agent wants its token: give it with -token or CLEAT_TOKEN; it is in the"
                    + " file http.token of the agent's data directory\n";
        }
        String inUse = "volume in use: ";
        return answer.body().startsWith(inUse)
                ? "  by whom: cleat volume why "
                        + VisibleText.line(answer.body().substring(inUse.length()))
                        + "\n"
                : "";
    }

    /** Says what went wrong and what to do next; answers the code. */
    static int report(Verb verb, Exception stopped, PrintWriter err) {
        return report(verb.errorCode(), stopped, err);
    }

    static int report(int code, Exception stopped, PrintWriter err) {
        switch (stopped) {
            case Failure failure -> {
                // Its lines are ours; what is in them of others does nothing to the terminal.
                err.print("Error: " + VisibleText.lines(failure.reason()) + "\n");
                if (failure.next() != null) {
                    err.print("  " + VisibleText.lines(failure.next()) + "\n");
                }
            }
            case UnexpectedAnswer answer -> {
                error(err, String.valueOf(answer.getMessage()));
                err.print(next(answer));
            }
            case Trouble trouble -> error(err, trouble.reason());
            case NoSuchFileException absent -> error(err, "there is no file " + absent.getFile());
            case AccessDeniedException denied -> error(err, denied.getFile() + " may not be read or written");
            case InterruptedException interrupted -> {
                Thread.currentThread().interrupt();
                error(err, "interrupted");
            }
            default -> error(err, stopped.toString());
        }
        return code;
    }

    private static void error(PrintWriter err, String words) {
        err.print("Error: " + TerminalText.words(words) + "\n");
    }
}
