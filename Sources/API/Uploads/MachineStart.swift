import Foundation

/// Which start of the machine this is.
///
/// What was written under the same start is in the page cache, if not on the disk, however often
/// the server itself died.
enum MachineStart {
    /// Empty where the system does not say: then only what was synced is believed.
    static let identifier: String = {
        let path = "/proc/sys/kernel/random/boot_id"
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }()
}
