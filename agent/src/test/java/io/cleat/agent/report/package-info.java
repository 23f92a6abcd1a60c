@NullMarked
package io.cleat.agent.report;

import org.jspecify.annotations.NullMarked;
