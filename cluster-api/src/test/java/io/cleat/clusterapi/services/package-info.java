@NullMarked
package io.cleat.clusterapi.services;

import org.jspecify.annotations.NullMarked;
