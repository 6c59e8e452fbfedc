import Foundation
import Uploads

/// Builds that are checked first, and published or dropped by the choice of their uploader.
extension UploadSession {
    /// Stores the result of the check, and keeps the bytes for the choice.
    func keep(checked answer: UploadAnswer, at date: Date) throws {
        try change {
            $0.state = .checked
            $0.answer = answer
            $0.attempts = nil
            $0.touched = date.wholeSecond
        }
        wake(with: answer)
    }

    /// Marks a checked build to be published.
    ///
    /// - Returns: false when that was chosen before, or the check has refused the build.
    /// - Throws: `UploadRefusal.notChecked` for one whose check has no result.
    func release(at date: Date) throws -> Bool {
        let before = record
        guard before.state == .checked else {
            let isChosen = before.state == .publishing && !before.isCheck
            guard isChosen || before.state == .finished else { throw UploadRefusal.notChecked }
            return false
        }
        var isFirst = false
        // Of two that choose at once, one is the first.
        try change {
            guard $0.state == .checked else { return }
            isFirst = true
            $0.state = .publishing
            $0.isReleased = true
            $0.answer = nil
            $0.touched = date.wholeSecond
        }
        return isFirst
    }
}
