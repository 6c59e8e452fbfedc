import Foundation
import Releases

/// A download under way, on the page and in the events that follow it.
package struct DownloadProgress: Encodable, Sendable {
    /// 0 to 100.
    let percent: String
    let text: String

    package init(fetched: Int, of size: Int) {
        let fetched = min(max(0, fetched), size)
        percent = "\(size > 0 ? fetched * 100 / size : 0)"
        text =
            "This device is downloading the app: \(Wording.size(fetched)) of \(Wording.size(size))."
    }

    /// One line of JSON.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
