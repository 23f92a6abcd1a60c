@NullMarked
package io.cleat.agent.task;

import org.jspecify.annotations.NullMarked;
