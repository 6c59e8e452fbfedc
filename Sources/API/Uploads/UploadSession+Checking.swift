import Foundation
import Uploads

/// Manages builds that are checked first, and then published or removed as their uploader decides.
extension UploadSession {
    /// Stores the result of the check, and keeps the bytes for the decision.
    func keep(checked answer: UploadAnswer, at date: Date) throws {
        try change {
            $0.state = .checked
            $0.answer = answer
            $0.attempts = nil
            $0.touched = date.wholeSecond
        }
        wake(with: answer)
    }

    /// Marks a checked build for publishing.
    ///
    /// - Returns: false if that has been done before, or the upload is finished.
    /// - Throws: `UploadRefusal.notChecked` if the check has no result yet.
    func release(at date: Date) throws -> Bool {
        let before = record
        guard before.state == .checked else {
            let isChosen = before.state == .publishing && !before.isCheck
            guard isChosen || before.state == .finished else { throw UploadRefusal.notChecked }
            return false
        }
        var isFirst = false
        // Of two concurrent requests, only one is the first.
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
