import APIDocuments
import Foundation
import HTTPTypes
import Uploads

extension UploadAnswer {
    /// The last word on an upload that is not published, as the API writes it.
    init(refusing error: any Error) {
        let answer = APIAnswer(refusing: error)
        self.init(
            status: answer.status.code,
            body: String(decoding: answer.body, as: UTF8.self),
        )
    }
}

/// JSON as the API writes it: sorted keys, ISO 8601 dates.
enum UploadText {
    static func encode(_ document: some Encodable) throws -> String {
        String(decoding: try APIAnswer.json(document).body, as: UTF8.self)
    }
}
