import Bytes
import Identifiers
package import Inspection
package import Releases

/// A device of the register, with whether it can install a build.
package struct JudgedDevice: Sendable {
    package let device: Device
    package let judged: DeviceVerdict
    /// The device's page.
    package let url: String

    package init(device: Device, judged: DeviceVerdict, url: String) {
        self.device = device
        self.judged = judged
        self.url = url
    }

    package var canInstall: Bool { judged.verdict == .installs }

    /// Returns a sentence such as `12 of 15 devices can install it`.
    static func sentence(_ able: Int, of all: Int) -> String {
        able == all
            ? (all == 1
                ? "The only device can install it" : "All \(all.grouped) devices can install it")
            : "\(able) of \(Wording.count(all, "device")) can install it"
    }

    /// The causes in a few words, then each as a sentence with its fix.
    var why: (short: String, long: [Reason]) {
        let decisive =
            judged.reasons.isEmpty
            ? judged.findings.filter { $0.devices != nil } : judged.reasons
        guard canInstall == false, let first = decisive.first else { return ("", []) }
        let more = decisive.count == 1 ? "" : ", and \(decisive.count - 1) more"
        return (first.title + more, decisive.map { Reason(text: $0.message, fix: $0.fix) })
    }

    struct Reason: Sendable {
        let text: String
        let fix: String
    }

    /// The device in words, as in `iPhone 14 Pro, iOS 18.1`.
    var kind: String { device.kind }
}

extension Device {
    /// The device in words, as in `iPhone 14 Pro, iOS 18.1`.
    var kind: String { [modelTitle, system].compactMap(\.self).joined(separator: ", ") }

    /// The system that it runs, as in `iOS 18.1`; nil if unknown.
    var system: String? {
        os.map { os in
            switch family {
            case .iphone, .ipod: "iOS \(os)"
            case .ipad: "iPadOS \(os)"
            case .watch: "watchOS \(os)"
            case .tv: "tvOS \(os)"
            case .vision: "visionOS \(os)"
            case .mac: "macOS \(os)"
            }
        }
    }
}

extension Finding {
    /// The cause in a few words.
    var title: String { Rule.named(id)?.title ?? message }
}
