package import Essentials

/// When the upkeep of developer accounts begins something.
package struct UpkeepPolicy: Sendable {
    /// Seconds for which further devices are waited for after one, so that they share a profile.
    package var gathering: TimeInterval = 60
    /// Seconds for which they are waited for at most.
    package var longestGathering: TimeInterval = 300
    /// Seconds after which profiles no longer list a device that has left; profiles are made again
    /// for that alone at most once in this time.
    ///
    /// No one waits for it, unlike for a device that joins, and devices that leave on one day share
    /// a profile.
    package var leaving: TimeInterval = 86_400
    /// Seconds after which a developer account is checked again.
    package var comparing: TimeInterval = 86_400
    /// Seconds in which what was done is not done again for the same reason.
    package var pauseAfterDone: TimeInterval = 3600
    /// Seconds in which what failed or was cancelled is not begun again for the same reason.
    package var pauseAfterFailure: TimeInterval = 86_400

    package init() {}
}
